import Glibc

extension Slot {
  /// The order of two values of one field: negative, zero or positive; `nil` if one is null, or not of the field's type.
  ///
  /// Numbers by size, texts and blobs by their bytes, lists only as equal (zero) or not (any other number).
  @inlinable static func order(_ first: Slot, _ second: Slot) -> Int? {
    switch (first.kind, second.kind) {
    case (.integer, .integer): first.integer < second.integer ? -1 : first.integer > second.integer ? 1 : 0
    case (.text, .text), (.blob, .blob): order(first.bytes, second.bytes)
    case (.real, .real), (.real, .integer), (.integer, .real): order(first.number, second.number)
    default: orderOfLists(first, second)
    }
  }

  @usableFromInline static func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
    let common = min(first.count, second.count)
    let order = common == 0 ? 0 : Int(memcmp(first.baseAddress!, second.baseAddress!, common))
    return order != 0 ? order : first.count - second.count
  }

  @inlinable static func order(_ first: Double, _ second: Double) -> Int {
    first < second ? -1 : first > second ? 1 : 0
  }

  @inlinable var number: Double { kind == .real ? real : Double(integer) }

  @inline(never) @usableFromInline
  static func orderOfLists(_ first: Slot, _ second: Slot) -> Int? {
    guard first.kind != .null, second.kind != .null,
      let list = try? StringList.decode(first, 0), let other = try? StringList.decode(second, 0)
    else { return nil }
    return list.elementsEqual(other) { $0.utf8.elementsEqual($1.utf8) } ? 0 : 1
  }
}

import FoundationEssentials

/// The bytes by which the first record of a list sorts, and the farthest that is known: most changes are compared with
/// these two and no others, and the two stay the same for long.
///
/// What is kept is told apart by the record's id. So it must be forgotten when a known record is another than it was.
struct EndKeys {
  /// Bytes, and the record that sorts by them.
  struct Key {
    let id: UUID
    let bytes: [UInt8]

    init(of id: UUID, _ bytes: UnsafeRawBufferPointer) {
      self.id = id
      self.bytes = Array(bytes)
    }
  }

  var first: Key?
  var last: Key?
}

extension LiveWindow {
  /// Appends the bytes by which the farthest known record sorts.
  mutating func appendLastKey(of record: R, to keys: inout TupleBuffer) throws {
    let id = record.id
    if let kept = endKeys.last, kept.id == id {
      kept.bytes.withUnsafeBytes { keys.append(bytes: $0) }
      return
    }
    let start = keys.count
    try condition.order.appendKey(of: record, to: &keys)
    endKeys.last = EndKeys.Key(of: id, UnsafeRawBufferPointer(rebasing: keys.bytes[start...]))
  }

  /// The number of records of the list that come before a key; at least `start`.
  mutating func position(of key: UnsafeRawBufferPointer, from start: Int = 0) throws -> Int {
    // What is new comes first in most lists.
    if start == 0, list.count > 0, try !isFirstBefore(key) { return 0 }
    return try condition.order.position(of: key, in: list, from: start)
  }

  private mutating func isFirstBefore(_ key: UnsafeRawBufferPointer) throws -> Bool {
    let id = list.spine.id(at: 0)
    if endKeys.first?.id != id {
      var first = TupleBuffer()
      try condition.order.appendKey(of: list[0], to: &first)
      endKeys.first = EndKeys.Key(of: id, first.bytes)
    }
    return endKeys.first?.bytes.withUnsafeBytes { $0.comes(before: key) } ?? true
  }
}

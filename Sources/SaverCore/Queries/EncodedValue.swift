/// A constant in the form in which rows hold their values, with memory of its own.
final class EncodedValue: Sendable {
  /// Points into memory that the object owns and never changes.
  nonisolated(unsafe) let slot: Slot

  init(_ value: StoredValue) {
    var writer = RowWriter(columns: 1, listEncoding: .messagePack)
    writer.begin()
    value.encode(into: &writer)
    // Fails for NaN only, which the check of a filter refuses before.
    slot = (try? writer.finish { row in Self.copy(row[slot: 0]) }) ?? .null
  }

  deinit {
    slot.pointer?.deallocate()
  }

  private static func copy(_ slot: Slot) -> Slot {
    guard slot.pointer != nil else { return slot }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(slot.bytes.count, 1), alignment: 1)
    copy.copyMemory(from: slot.bytes)
    return .bytes(slot.kind, UnsafeRawPointer(copy.baseAddress), slot.bytes.count)
  }
}

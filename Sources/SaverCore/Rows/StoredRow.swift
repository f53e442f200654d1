/// A row with memory of its own; never changed once made.
public final class StoredRow: Sendable {
  /// Initialised once, read only; their pointers point into `bytes`.
  private nonisolated(unsafe) let slots: UnsafeMutablePointer<Slot>
  private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
  public let count: Int

  public init(copying row: borrowing RowView) {
    count = row.count
    slots = .allocate(capacity: count)
    var size = 0
    for column in 0..<count { size += row[slot: column].bytes.count }
    bytes = .allocate(byteCount: max(size, 1), alignment: 16)
    var position = 0
    for column in 0..<count {
      var slot = row[slot: column]
      if slot.pointer != nil {
        let copy = UnsafeMutableRawBufferPointer(rebasing: bytes[position..<position + slot.bytes.count])
        copy.copyMemory(from: slot.bytes)
        position += slot.bytes.count
        slot.pointer = UnsafeRawPointer(copy.baseAddress ?? bytes.baseAddress)
      }
      (slots + column).initialize(to: slot)
    }
  }

  /// The size of its texts, blobs and lists.
  public var byteCount: Int { bytes.count }

  deinit {
    slots.deallocate()
    bytes.deallocate()
  }

  public func withView<Result>(_ body: (borrowing RowView) throws -> Result) rethrows -> Result {
    try body(RowView(slots: UnsafePointer(slots), count: count))
  }
}

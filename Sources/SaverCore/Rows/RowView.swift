/// A row as a view over the engine's own memory.
///
/// A view cannot be copied or kept: it is borrowed by the closure that an engine calls for each row, and its slots are
/// valid until that closure returns. The hot loop crosses the engine's boundary once a row; what happens to the columns
/// is inlined into the module of the record.
@frozen public struct RowView: ~Copyable {
  public let slots: UnsafePointer<Slot>
  /// The number of columns: one for each field of the record type, in the schema's order.
  public let count: Int
  @usableFromInline let lists: Unmanaged<StringListCache>?

  /// Makes a view of `count` slots. The caller keeps the slots and the cache alive as long as the view is used.
  @inlinable public init(slots: UnsafePointer<Slot>, count: Int, lists: StringListCache? = nil) {
    self.slots = slots
    self.count = count
    self.lists = lists.map { Unmanaged.passUnretained($0) }
  }

  /// A row without columns.
  public static var empty: RowView { RowView(slots: noSlots, count: 0) }

  @inlinable public subscript(slot column: Int) -> Slot { slots[column] }

  /// The value of a column, decoded.
  @inlinable public subscript<Value: FieldValue>(_ column: Int) -> Value {
    get throws { try Value.decode(self, column) }
  }
}

/// What the slots of an empty row point at; never read.
private nonisolated(unsafe) let noSlots: UnsafePointer<Slot> = {
  let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 1)
  slots.initialize(to: .null)
  return UnsafePointer(slots)
}()

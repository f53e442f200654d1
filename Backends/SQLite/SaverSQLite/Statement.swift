#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// A prepared statement, with the slots that show its rows.
///
/// Isolation: used by the thread that uses its connection.
final class Statement {
  let pointer: OpaquePointer
  let sql: String
  /// The number of result columns.
  let columns: Int
  let slots: UnsafeMutablePointer<Slot>
  /// How a text in each column is shown: as a text, or as a JSON list.
  private let textKinds: UnsafeMutablePointer<Slot.Kind>

  // MARK: Mutable state
  // Owned by the connection's thread.
  /// A scan has begun and not ended: another of the same text needs a statement of its own.
  var isInUse = false
  /// What the statement calls for each row, if anything.
  var filter: RowFilter?
  /// The connection's clock when it was last taken: the oldest goes first.
  var lastUse = 0

  init(_ pointer: OpaquePointer, sql: String) {
    self.pointer = pointer
    self.sql = sql
    columns = Int(sqlite3_column_count(pointer))
    slots = .allocate(capacity: max(columns, 1))
    slots.initialize(repeating: .null, count: max(columns, 1))
    textKinds = .allocate(capacity: max(columns, 1))
    textKinds.initialize(repeating: .text, count: max(columns, 1))
  }

  deinit {
    sqlite3_finalize(pointer)
    slots.deallocate()
    textKinds.deallocate()
  }

  /// Says which columns hold lists of texts: those of `type`, in order.
  func show(_ type: RecordType) {
    for column in 0..<min(columns, type.fields.count) where type.fields[column].type == .strings {
      textKinds[column] = .jsonList
    }
  }

  /// Ends the scan, and with it the snapshot that it may have been the last to hold. The bindings are let go of.
  func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
    filter = nil
    isInUse = false
  }

  // MARK: Reading

  /// Fills the slots from the current row. They are valid until the next step.
  ///
  /// One `sqlite3_column_value` a column and the `sqlite3_value` functions behind it: no mutex for each call.
  @inline(__always) func fillSlots() {
    for column in 0..<columns {
      slots[column] = Slot(
        sqlite3_column_value(pointer, Int32(truncatingIfNeeded: column)), textKind: textKinds[column])
    }
  }

  /// A text or blob of the current row, copied.
  func bytes(_ column: Int32) -> [UInt8] {
    let bytes = sqlite3_column_blob(pointer, column)
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(pointer, column))))
  }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(pointer, column)) }

  /// A number of the history, brought within what our writers can have counted to: another program can have written any.
  func counted(_ column: Int32) -> Int64 {
    min(max(Int64(integer(column)), 0), StoreFormat.sequenceLimit)
  }

  // MARK: Binding. Parameters are counted from 1.

  /// Binds a slot without copying: its bytes have to stay until the statement is reset.
  @inline(__always) func bind(_ slot: Slot, _ parameter: Int32) -> Int32 {
    switch slot.kind {
    case .null: sqlite3_bind_null(pointer, parameter)
    case .integer: sqlite3_bind_int64(pointer, parameter, slot.integer)
    case .real: sqlite3_bind_double(pointer, parameter, slot.real)
    case .text, .jsonList, .packedList:
      sqlite3_bind_text64(
        pointer, parameter, (slot.pointer ?? Self.nothing).assumingMemoryBound(to: CChar.self), slot.bits, nil,
        UInt8(SQLITE_UTF8))
    case .blob: sqlite3_bind_blob64(pointer, parameter, slot.pointer ?? Self.nothing, slot.bits, nil)
    }
  }

  /// Binds a constant; texts and blobs are copied.
  func bind(_ value: StoredValue, _ parameter: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(pointer, parameter)
    case .bool(let value): sqlite3_bind_int64(pointer, parameter, value ? 1 : 0)
    case .int(let value): sqlite3_bind_int64(pointer, parameter, Int64(value))
    case .double(let value): sqlite3_bind_double(pointer, parameter, value)
    case .date(let value): sqlite3_bind_double(pointer, parameter, value.timeIntervalSince1970)
    case .text(let value): bind(text: value.utf8, parameter)
    case .data(let value): bind(blob: value, parameter)
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { bind(blob: $0, parameter) }
    // Lists are compared by SaverCore, never by SQLite.
    case .texts: sqlite3_bind_null(pointer, parameter)
    }
  }

  func bind(text: some Collection<UInt8>, _ parameter: Int32) -> Int32 {
    Self.withBytes(text) { saver_sqlite3_bind_text_copy(pointer, parameter, $0.baseAddress, UInt64($0.count)) }
  }

  func bind(blob: some Collection<UInt8>, _ parameter: Int32) -> Int32 {
    Self.withBytes(blob) { saver_sqlite3_bind_blob_copy(pointer, parameter, $0.baseAddress, UInt64($0.count)) }
  }

  /// A pointer that is not `NULL`, for an empty content: SQLite takes `NULL` for a null.
  private static var nothing: UnsafeRawPointer {
    let bytes: StaticString = ""
    return UnsafeRawPointer(bytes.utf8Start)
  }

  private static func withBytes(_ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) -> Int32) -> Int32 {
    if bytes.isEmpty { return body(UnsafeRawBufferPointer(start: nothing, count: 0)) }
    return bytes.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes(body)
  }
}

extension Slot {
  /// Shows one of SQLite's values, as long as that stays. A text is read as bytes, so that none is terminated or cut.
  @inline(__always) init(_ value: OpaquePointer?, textKind: Kind) {
    switch sqlite3_value_type(value) {
    case SQLITE_TEXT:
      let bytes = sqlite3_value_blob(value)
      self = .bytes(textKind, bytes, Int(sqlite3_value_bytes(value)))
    case SQLITE_BLOB:
      let bytes = sqlite3_value_blob(value)
      self = .bytes(.blob, bytes, Int(sqlite3_value_bytes(value)))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    default: self = .null
    }
  }
}
#endif

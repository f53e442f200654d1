#if SQLite
import CSQLite
import SaverCore

/// A filter that SQLite evaluates on each row it comes to, as a function of its own.
///
/// Rows that do not match never leave SQLite: only the columns that the filter looks at are read, and what is sorted is
/// what was found. The function exists in statements only; no schema may name it.
///
/// Isolation: used by the thread that has the connection.
final class RowFilter {
  static let function = "saver_matches"
  /// SQLite's functions take 127 arguments at most, of which one is the filter.
  static let columnsMax = 100
  /// What SQLite tells our pointers from others by.
  private static let pointerType: StaticString = "saver_matches"

  let filter: CompiledFilter
  /// The columns that the filter looks at: the function's arguments, behind the filter itself.
  private let columns: [Int]
  private let textKinds: [Slot.Kind]
  /// One for each field; those that the filter does not look at stay null.
  private let slots: UnsafeMutablePointer<Slot>
  private let count: Int

  init(_ filter: CompiledFilter, _ type: RecordType) {
    self.filter = filter
    columns = filter.columns
    textKinds = columns.map { type.type(ofColumn: $0) == .strings ? .jsonList : .text }
    count = type.fields.count
    slots = .allocate(capacity: count)
    slots.initialize(repeating: .null, count: count)
  }

  deinit {
    slots.deallocate()
  }

  /// The call, with one parameter for the filter; `nil` if the filter looks at too many columns.
  func condition(_ table: Table) -> String? {
    guard columns.count <= Self.columnsMax else { return nil }
    return "\(Self.function)(\((["?"] + columns.map { table.columns[$0] }).joined(separator: ", ")))"
  }

  /// Hands the filter to a statement that keeps it until it is reset.
  func bind(_ statement: Statement, _ parameter: Int32) -> Int32 {
    statement.filter = self
    return sqlite3_bind_pointer(
      statement.pointer, parameter, Unmanaged.passUnretained(self).toOpaque(), Self.pointerTypeName, nil)
  }

  private static var pointerTypeName: UnsafePointer<CChar> {
    UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Lets a connection's statements call the function.
  static func define(_ connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, function, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
      { context, count, values in
        guard let values, let filter = sqlite3_value_pointer(values[0], RowFilter.pointerTypeName) else {
          return sqlite3_result_error(context, "saver_matches was called without its filter", -1)
        }
        let matches = Unmanaged<RowFilter>.fromOpaque(filter).takeUnretainedValue().matches(values + 1)
        sqlite3_result_int(context, matches ? 1 : 0)
      }, nil, nil, nil)
  }

  private func matches(_ values: UnsafeMutablePointer<OpaquePointer?>) -> Bool {
    for index in columns.indices {
      slots[columns[index]] = Slot(values[index], textKind: textKinds[index])
    }
    return filter.matches(RowView(slots: slots, count: count))
  }
}
#endif

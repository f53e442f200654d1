#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// Reads, and with ``SQLiteTransaction+Writing.swift`` writes, on one connection that has a transaction open.
///
/// Isolation: used by the thread that has the connection, within the closure that it was handed to.
final class SQLiteTransaction: EngineWriteTransaction {
  let connection: Connection
  let store: OpenStore
  let tables: Tables

  // MARK: Mutable state
  // Owned by the transaction's thread.
  var rowsRead = 0
  /// The failure by which SQLite took the whole transaction back while it was running.
  var lostBy: StorageError?
  /// An update may have set a derived column to what it was, which looks to the trigger as if it had been left out.
  var hasUpdatedDerived = false
  /// Whether rows may have been updated or deleted: the history has them as they were.
  var hasOldRows = false
  /// Whether a row was refused, which the transaction outlives.
  var hasRefusedRow = false
  /// As the head was read with them: the store's branch, and a token that the history was found to have come by.
  var branch: Int64?
  var checked: HistoryToken?
  /// How large the old rows were that the history has lost because they are to be forgotten.
  var forgottenBytes = 0
  /// Made by the first record that is written; the largest row so far decides its size.
  var writer = RowWriter(columns: 0, listEncoding: .json)
  var writerColumns = 0

  init(_ connection: Connection, _ store: OpenStore) {
    self.connection = connection
    self.store = store
    tables = store.tables
  }

  // MARK: Reading

  func row(_ type: RecordType, _ id: UUID, _ body: (borrowing RowView) throws -> Void) throws -> Bool {
    let table = try tables.table(type)
    let statement = try rowStatement(table)
    defer { statement.reset() }
    return try withUnsafeBytes(of: id.uuid) { bytes in
      try check(statement.bind(.bytes(.blob, bytes.baseAddress, bytes.count), 1))
      guard try step(statement) else { return false }
      rowsRead += 1
      statement.fillSlots()
      try body(RowView(slots: statement.slots, count: statement.columns, lists: connection.lists))
      return true
    }
  }

  /// The statement for one row by its id: the kept one, unless its row is being looked at.
  private func rowStatement(_ table: Table) throws -> Statement {
    if let kept = connection.tableStatements[table.index].row, !kept.isInUse {
      kept.isInUse = true
      return kept
    }
    let statement = try connection.prepare(table.rowByID, table.type)
    statement.isInUse = true
    connection.tableStatements[table.index].row = statement
    return statement
  }

  // MARK: Stepping

  /// Whether there is a row.
  func step(_ statement: Statement) throws -> Bool {
    switch sqlite3_step(statement.pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw failed(result, "reading")
    }
  }

  @inline(__always) func check(_ result: Int32) throws {
    guard result == SQLITE_OK else { throw failed(result, "passing a value") }
  }

  /// The error of a failed call. Some failures take the whole transaction back: then it cannot be committed any more.
  @inline(never)
  func failed(_ result: Int32, _ doing: String, fileID: String = #fileID, line: Int = #line) -> StorageError {
    let error = connection.failure(result, doing: doing, fileID: fileID, line: line)
    if !connection.isInTransaction && lostBy == nil { lostBy = error }
    return error
  }
}
#endif

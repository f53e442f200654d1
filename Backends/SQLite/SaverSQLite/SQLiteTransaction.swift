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

  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws {
    let sql = SelectionSQL(selection, try tables.table(selection.type))
    if selection.limit == 0 { return }
    if sql.isLimitedBySQL {
      _ = try step(sql, sql.parts[0], selection, body)
      return
    }
    let filter = sql.isExact ? nil : try CompiledFilter(.and(sql.residual), selection.type)
    var skip = selection.offset
    var left = selection.limit ?? .max
    for part in sql.parts {
      let goesOn = try step(sql, part, selection) { row in
        if let filter, !filter.matches(row) { return true }
        if skip > 0 {
          skip -= 1
          return true
        }
        left -= 1
        return try body(row) && left > 0
      }
      if !goesOn { return }
    }
  }

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

  func count(_ selection: Selection) throws -> Int {
    let sql = SelectionSQL(selection, try tables.table(selection.type))
    guard sql.isExact else {
      var count = 0
      try scan(selection) { _ in
        count += 1
        return true
      }
      return count
    }
    var found = 0
    for part in sql.parts {
      let statement = try connection.statement(sql.count(part))
      defer { finish(statement, rows: 0) }
      try bind(part.parameters, statement)
      if try step(statement) { found += statement.integer(0) }
    }
    return min(max(0, found - selection.offset), selection.limit ?? .max)
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

  /// Runs one of a selection's statements and hands each row to `body` until it returns `false`; whether it never did.
  private func step(
    _ sql: SelectionSQL, _ part: SelectionSQL.Part, _ selection: Selection, _ body: (borrowing RowView) throws -> Bool
  ) throws -> Bool {
    let statement = try connection.statement(sql.rows(part), showing: selection.type)
    var rows = 0
    // Whatever happens: a statement that is not reset holds the snapshot, and the log could not be emptied.
    defer { finish(statement, rows: rows) }
    try bind(part.parameters, statement)
    if sql.isLimitedBySQL {
      let next = Int32(part.parameters.count)
      try check(sqlite3_bind_int64(statement.pointer, next + 1, Int64(selection.limit ?? -1)))
      try check(sqlite3_bind_int64(statement.pointer, next + 2, Int64(selection.offset)))
    }
    let view = RowView(slots: statement.slots, count: statement.columns, lists: connection.lists)
    while true {
      let result = sqlite3_step(statement.pointer)
      guard result == SQLITE_ROW else {
        if result == SQLITE_DONE { return true }
        throw failed(result, "reading")
      }
      rows += 1
      statement.fillSlots()
      if try !body(view) { return false }
    }
  }

  private func bind(_ parameters: [Parameter], _ statement: Statement) throws {
    for (index, parameter) in parameters.enumerated() {
      try check(parameter.bind(statement, Int32(index + 1)))
    }
  }

  private func finish(_ statement: Statement, rows: Int) {
    rowsRead += Self.rowsRead(statement, rows: rows)
    statement.reset()
  }

  /// How many rows and index entries a statement has looked at since it was last asked.
  ///
  /// SQLite counts the steps of walks over a whole table or index. In a range of an index it counts only instructions
  /// of its machine: what these leave after making the results, at about six for each entry looked at, is taken when it
  /// is more.
  private static func rowsRead(_ statement: Statement, rows: Int) -> Int {
    let walked = Int(sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
    let instructions = Int(sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_VM_STEP, 1))
    let resultCost = rows * (statement.columns + 8) + 40
    return max(rows, walked, (instructions - resultCost) / 6)
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

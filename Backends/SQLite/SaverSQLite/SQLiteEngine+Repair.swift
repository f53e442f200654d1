#if SQLite
import CSQLite
import SaverCore

extension SQLiteEngine {
  func repair() throws -> [String] {
    let deadline = deadline
    let (mended, isWritten) = try lock.withLock(until: deadline) {
      let cleared = try file.clearTemporaries()
      let store = try storeForWriting(until: deadline)
      let connection = try store.writer(opening.configuration, until: deadline)
      try connection.run("BEGIN IMMEDIATE", doing: "mending the store")
      do {
        var repair = try Repair(connection, store)
        try repair.run(opening.location.history)
        if repair.mended.isEmpty { connection.rollBack() } else { try connection.commit() }
        return (cleared + repair.mended, !repair.mended.isEmpty)
      } catch {
        connection.rollBack()
        throw error
      }
    }
    if isWritten { NotifyFile.touch(NotifyFile.path(for: file)) }
    return mended
  }
}

/// Mends a store within one transaction that writes.
private struct Repair {
  let connection: Connection
  let transaction: SQLiteTransaction
  let check: IntegrityCheck
  var mended: [String] = []

  init(_ connection: Connection, _ store: OpenStore) throws {
    self.connection = connection
    transaction = SQLiteTransaction(connection, store)
    check = IntegrityCheck(connection: connection, store: store)
  }

  mutating func run(_ retention: HistoryRetention) throws {
    try transaction.requireOwnSchemas()
    let hasTornHistory = try !check.historyProblems().isEmpty
    var log = try HistoryLog(connection)
    if hasTornHistory {
      try log.clear()
      mended.append("The history was torn and begins anew; what was done before cannot be undone.")
    }
    // Before the triggers, which see to indexes that are missing, too.
    for table in transaction.tables.all { try mendIndexes(of: table) }
    let triggers = TriggerCheck(connection: connection, tables: transaction.tables)
    if try !triggers.isComplete() {
      try triggers.repair()
      try log.addUnknown()
      mended.append("What logs the changes of other programs was made again.")
    }
    for table in transaction.tables.all { try mendDerivedValues(of: table) }
    try mendIndexEntries()
    try transaction.fillDerived()
    if !mended.isEmpty { _ = try log.finish(WriteOperation("repair"), hasOldRows: false, retention) }
  }

  private mutating func mendIndexes(of table: Table) throws {
    for index in try check.unlike("index", table.indexDefinitions, table) {
      try connection.execute("DROP INDEX IF EXISTS \(SQLText.quoted(index.name))", doing: "mending the store")
      try connection.execute(index.sql, doing: "mending the store")
      mended.append("The index '\(index.name)' was made again.")
    }
  }

  /// They are cleared; what is missing is computed before the transaction ends.
  private mutating func mendDerivedValues(of table: Table) throws {
    let stale = try check.staleRows(of: table)
    if stale.isEmpty { return }
    let derived = table.columns.dropFirst(table.type.fields.count).map { "\($0) = NULL" }.joined(separator: ", ")
    let statement = try connection.prepare("UPDATE \(table.name) SET \(derived) WHERE \"id\" = ?1")
    for id in stale {
      sqlite3_reset(statement.pointer)
      try transaction.check(statement.bind(blob: id, 1))
      _ = try transaction.step(statement)
    }
    sqlite3_reset(statement.pointer)
    mended.append("Derived values of \(stale.count) of '\(table.type.name)' were computed again.")
  }

  /// Entries that have no row, and rows that have no entry.
  private mutating func mendIndexEntries() throws {
    let problems = try check.structuralProblems()
    if problems.isEmpty { return }
    try connection.execute("REINDEX", doing: "mending the store")
    if try check.structuralProblems().count < problems.count {
      mended.append("The indexes were built anew from the rows.")
    }
  }
}
#endif

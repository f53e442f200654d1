#if SQLite
import CSQLite
import SaverCore

extension Connection {
  /// Begins a transaction and takes its snapshot at once: SQLite's own `BEGIN` waits for the first read. That is the number
  /// of the schema, which the checks behind it ask for.
  func beginReading() throws {
    try run("BEGIN", doing: "beginning to read")
    do {
      snapshotSchema = try integer(Self.schemaVersion, doing: "beginning to read")
      sortInMemory()
    } catch {
      endReading()
      throw error
    }
  }

  /// What a query sorts is not to lie about in files outside the store's folder, nor to fail because these are full.
  ///
  /// Refused in a transaction if there is temporary storage already: no reason not to read.
  func sortInMemory() {
    if sortsInMemory { return }
    try? execute("PRAGMA temp_store = MEMORY", doing: "preparing to read")
    sortsInMemory = true
  }

  /// Nothing was written, so there is nothing that could fail to be kept.
  func endReading() {
    snapshotSchema = nil
    rollBack()
  }

  /// The number that each change of the schema raises, in the transaction that is under way.
  func currentSchema() throws -> Int { try snapshotSchema ?? integer(Self.schemaVersion) }

  private static let schemaVersion = "PRAGMA schema_version"

  /// - Throws: ``StorageError``: `full` and others if nothing was kept; `unknownOutcome` if the transaction is in the
  ///   log and could not be made durable: a later commit overwrites it, a crash before that may bring it back.
  func commit() throws {
    let statement = try statement("COMMIT")
    defer { statement.reset() }
    let result = sqlite3_step(statement.pointer)
    if result == SQLITE_DONE { return }
    var error = failure(result, doing: "committing")
    if result == SAVER_SQLITE_IOERR_FSYNC || result == SAVER_SQLITE_IOERR_DIR_FSYNC {
      error.code = .unknownOutcome
      error.message =
        "The disk failed while the changes were being made durable. They are not in the store now,"
        + " and may be there after a crash."
    }
    throw error
  }

  func rollBack() {
    if isInTransaction { try? run("ROLLBACK", doing: "taking back") }
  }
}
#endif

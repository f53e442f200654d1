#if SQLite
import CSQLite
import SaverCore

extension Connection {
  /// Begins a transaction and takes its snapshot at once: SQLite's own `BEGIN` waits for the first read.
  func beginReading() throws {
    try run("BEGIN", doing: "beginning to read")
    do {
      try run("SELECT 1 FROM sqlite_schema LIMIT 1", doing: "beginning to read")
    } catch {
      endReading()
      throw error
    }
  }

  /// Nothing was written, so there is nothing that could fail to be kept.
  func endReading() {
    rollBack()
  }

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

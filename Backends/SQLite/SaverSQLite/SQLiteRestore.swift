#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// A backup on its way into an open store: a copy beside the store, in which everything that can fail is done before the
/// store is touched.
struct SQLiteRestore {
  let source: StoreFile
  let opening: SQLiteOpening
  let deadline: Deadline

  /// Makes the copy and brings it to the program's schemas.
  ///
  /// - Parameters:
  ///   - path: an empty file.
  ///   - pageSize: the store's, which a file with a log keeps.
  /// - Throws: ``StorageError`` that names the backup.
  func prepare(_ path: String, pageSize: Int) throws -> Connection {
    do {
      let copy = try Connection(path)
      copy.deadline = deadline
      try copyChecked(into: copy)
      try migrate(copy)
      if try copy.integer("PRAGMA page_size") != pageSize {
        try copy.execute("PRAGMA page_size = \(pageSize); VACUUM", doing: "preparing the backup")
      }
      return copy
    } catch var error as StorageError {
      if error.path == path { error.path = source.path }
      if error.code == .foreignFile { error.message = "This file is no backup of a store of this engine." }
      if error.code == .corrupt { error.message = "The backup is damaged. Nothing was changed." }
      throw error
    }
  }

  private func copyChecked(into copy: Connection) throws {
    let backup = try Connection(source.path, isAtRest() ? .readingUnchanged : .reading)
    backup.deadline = deadline
    try SQLiteOpening.requireFormat(backup, path: source.path)
    guard try backup.text("PRAGMA encoding") == "UTF-8" else {
      throw StorageError(.unsupportedFormat, "The backup has another encoding than UTF-8.", path: source.path)
    }
    try copy.fill(from: backup, until: deadline)
    try SQLiteBackup.requireSound(copy)
  }

  /// Whether the file is all there is of it: no log, and nobody who writes.
  private func isAtRest() -> Bool {
    let hasLog = ["-wal", "-journal"].contains { ending in
      if case .file(let size, _) = FileStatus(path: source.path + ending) { size > 0 } else { false }
    }
    return !hasLog && FileLocks.holders(of: source.path, .posix, includingThis: true).isEmpty
  }

  private func migrate(_ copy: Connection) throws {
    let upgrade = SchemaUpgrade(
      connection: copy, tables: opening.tables, configuration: opening.configuration,
      retention: opening.location.history)
    if try upgrade.isNeeded(StoreMeta(copy)) { try upgrade.run(until: deadline) }
  }

  /// Makes the copy the continuation of a store: its identity, and a history that goes on behind both.
  func adopt(_ copy: Connection, by store: Connection, _ operation: WriteOperation) throws {
    let reached = try HistoryLog.reached(store)
    let identity = try StoreMeta.identity(store)
    try copy.run("BEGIN", doing: "preparing the backup")
    var log = try HistoryLog(copy)
    let branch = try log.addBranch(behind: reached)
    _ = try log.finish(operation, hasOldRows: false, opening.location.history)
    try StoreMeta.write(identity: identity, copy)
    try StoreMeta.write(branch: branch, copy)
    try copy.commit()
  }
}

extension Connection {
  /// Whether the store has no record of any type, known to the program or not.
  func hasNoRecords() throws -> Bool {
    for (name, _) in try StoreMeta(self).schemas {
      var isTable = false
      try rows(
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1", [.text(name)], doing: "reading the store"
      ) { _ in isTable = true }
      if isTable, try integer("SELECT EXISTS (SELECT 1 FROM \(SQLText.quoted(name)))") != 0 { return false }
    }
    return true
  }
}
#endif

#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

extension SQLiteEngine {
  // MARK: Backup

  func backUp(to base: String, overwriting: Bool) throws -> BackupReport {
    let path = StoreLocation(base: base).path(withExtension: "sqlite")
    let (store, connection) = try readingConnection()
    defer { store.pool.give(connection) }
    try NewFile.make(at: path, overwriting: overwriting, sparing: store.fileIdentity) { new in
      try SQLiteBackup.requireUnusedName(new.target)
      do {
        try SQLiteBackup.write(connection, to: new.temporary.path, until: deadline)
      } catch let error as StorageError {
        // What is damaged is the store.
        throw error.ofUnfinished(new.temporary.path, as: error.code == .corrupt ? self.path : path)
      }
      try SQLiteBackup.requireUnusedName(new.target)
    }
    guard case .file(let size, _) = FileStatus(path: path) else {
      throw StorageError(.noSuchStore, "The backup was removed as soon as it was made.", path: path)
    }
    return BackupReport(path: path, size: Int(size))
  }

  // MARK: Restore

  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
    let source = try StoreFile.backup(at: base, withExtension: "sqlite", notBeing: try file.identity())
    // Said before anything is copied; decided under the lock.
    try requireReplaceable(overwriting)
    let temporary = try file.makeTemporary()
    defer { temporary.removeWithCompanions() }
    let deadline = deadline
    let restore = SQLiteRestore(source: source, opening: opening, deadline: deadline)
    let copy = try restore.prepare(temporary.path, pageSize: try pageSize())
    // To copy took its time; waiting begins here.
    let limit = self.deadline
    try lock.withLock(until: limit) {
      try file.removeStaleTemporaries()
      let store = try storeForWriting(until: limit)
      let connection = try store.writer(opening.configuration, until: limit)
      guard try overwriting || connection.hasNoRecords() else { throw StorageError.notEmpty(path: path) }
      do {
        try restore.adopt(copy, by: connection, operation)
      } catch let error as StorageError {
        throw error.ofUnfinished(temporary.path, as: source.path)
      }
      try connection.copy(from: copy, until: limit)
      // As large as the store; if readers are in the way now, later commits see to it.
      _ = store.checkpoints.emptyLog(connection, store.pool)
    }
    NotifyFile.touch(notifyPath)
    return RestoreReport(path: source.path)
  }

  private func requireReplaceable(_ overwriting: Bool) throws {
    if overwriting { return }
    let (store, connection) = try readingConnection()
    defer { store.pool.give(connection) }
    guard try connection.hasNoRecords() else { throw StorageError.notEmpty(path: path) }
  }

  private func pageSize() throws -> Int {
    let (store, connection) = try readingConnection()
    defer { store.pool.give(connection) }
    return try connection.integer("PRAGMA page_size")
  }
}
#endif

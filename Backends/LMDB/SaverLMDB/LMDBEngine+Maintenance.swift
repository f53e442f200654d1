#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

extension LMDBEngine {
  // MARK: Backup

  func backUp(to base: String, overwriting: Bool) throws -> BackupReport {
    let path = StoreLocation(base: base).path(withExtension: "lmdb")
    let file = file
    try NewFile.make(at: path, overwriting: overwriting, sparing: file.environment.identity) { new in
      try LMDBBackup.requireUnusedName(new.target)
      do {
        try LMDBBackup.write(
          file, to: new.temporary.path, mapSize: opening.configuration.mapSizeMaxBytes, until: deadline)
      } catch let error as StorageError {
        // What is damaged is the store.
        throw error.ofUnfinished(new.temporary.path, as: error.code == .corrupt ? self.path : path)
      }
      try LMDBBackup.requireUnusedName(new.target)
    }
    guard case .file(let size, _) = FileStatus(path: path) else {
      throw StorageError(.noSuchStore, "The backup was removed as soon as it was made.", path: path)
    }
    return BackupReport(path: path, size: Int(size))
  }

  // MARK: Restore

  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
    let place = StoreFile(path: file.environment.path)
    let source = try StoreFile.backup(at: base, withExtension: "lmdb", notBeing: try place.identity())
    // Said before anything is copied; decided in the transaction.
    if !overwriting {
      let file = file
      try file.environment.handles.withLock { _ in
        try withTransaction(file, writing: false, until: deadline) { try $0.requireReplaceable(path) }
      }
    }
    let restore = LMDBRestore(source, try place.makeTemporary(), opening, until: deadline)
    try restore.prepare()
    // To copy took its time; waiting begins here.
    let limit = deadline
    try withWriterLock(until: limit) { file in
      try place.removeStaleTemporaries()
      try file.environment.handles.withLock { _ in
        try withTransaction(file, writing: true, until: limit) { transaction in
          if !overwriting { try transaction.requireReplaceable(path) }
          try restore.adopt(by: transaction, operation)
          try restore.replace(transaction)
          try transaction.commit()
        }
      }
    }
    return RestoreReport(path: source.path)
  }
}

extension LMDBTransaction {
  fileprivate func requireReplaceable(_ path: String?) throws {
    guard try hasNoRecords() else { throw StorageError.notEmpty(path: path) }
  }
}
#endif

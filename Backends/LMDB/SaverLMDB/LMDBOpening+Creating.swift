#if LMDB
import CLMDB
import FoundationEssentials
import Glibc
import SaverCore

extension LMDBOpening {
  /// How large a new store may become while it is built: it holds no rows.
  private static let newMapSize = 16 << 20

  /// Makes the store under another name, complete, and renames it into place: nobody ever sees half of one.
  func create() throws {
    let file = try StoreFile(path: path).resolvedForMaking()
    guard access(file.folder.path, W_OK | X_OK) == 0 else {
      throw StorageError.system(errno, doing: "make the store", path: file.folder.path)
    }
    let lock = WriterLock(path: file.lockPath)
    try lock.withLock(until: deadline) {
      // Another process may have been first.
      guard case .missing = file.status else { return }
      try file.requireNothing()
      try file.removeStaleTemporaries()
      let temporary = file.temporarySibling()
      do {
        try build(temporary)
      } catch {
        temporary.removeWithCompanions()
        throw error
      }
      // Before the store has its name: if this process is killed behind that, nobody looks for it any more.
      unlink(temporary.path + "-lock")
      // What a store that was deleted has left: it would mislead LMDB, see `environment(_:_:)`.
      unlink(file.path + "-lock")
      try file.moveIntoPlace(temporary)
      if let identity = try file.identity() { try? lock.record(identity) }
    }
  }

  /// Writes a whole store and closes it, synced.
  private func build(_ temporary: StoreFile) throws {
    do {
      let environment = try Environment(path: temporary.path, mapSize: Self.newMapSize)
      defer { environment.close() }
      let transaction = try environment.begin(writing: true, until: deadline)
      do {
        guard let meta = try environment.database(StoreMeta.database, transaction, creating: true) else { return }
        for name in Tables.ownNames { _ = try environment.database(name, transaction, creating: true) }
        try StoreMeta.put(
          StoreMeta.formatKey, Array("\(StoreMeta.formatVersion)".utf8), meta, transaction, path: temporary.path)
        let identity = withUnsafeBytes(of: UUID.version7().uuid) { Array($0) }
        try StoreMeta.put(StoreMeta.identityKey, identity, meta, transaction, path: temporary.path)
        try StoreMeta.put(
          StoreMeta.createdKey, number: Int64(mdb_txn_id(transaction)), meta, transaction, path: temporary.path)
        for type in types {
          for name in Table.names(type) { _ = try environment.database(name, transaction, creating: true) }
          try StoreMeta.putSchema(of: type, meta, transaction, path: temporary.path)
        }
      } catch {
        environment.end(transaction)
        throw error
      }
      try environment.commit(transaction)
    } catch let error as StorageError {
      throw error.ofUnfinished(temporary.path, as: path)
    }
  }
}
#endif

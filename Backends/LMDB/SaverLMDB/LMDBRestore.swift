#if LMDB
import CLMDB
import FoundationEssentials
import Glibc
import SaverCore

/// A backup on its way into an open store: a copy beside the store, in which everything that can fail is done before the
/// store is touched.
final class LMDBRestore {
  private let source: StoreFile
  private let temporary: StoreFile
  private let opening: LMDBOpening
  private let deadline: Deadline

  // MARK: Mutable state
  // Owned by the thread that restores.
  /// The copy, open.
  private var copy: Environment?

  /// - Parameter temporary: an empty file, which is gone with all that belongs to it when this is.
  init(_ source: StoreFile, _ temporary: StoreFile, _ opening: LMDBOpening, until deadline: Deadline) {
    self.source = source
    self.temporary = temporary
    self.opening = opening
    self.deadline = deadline
  }

  deinit {
    copy?.close()
    temporary.removeWithCompanions()
  }

  // MARK: Preparing

  /// Makes the copy and brings it to the program's schemas.
  ///
  /// - Throws: ``StorageError`` that names the backup.
  func prepare() throws {
    do {
      try requireAtRest()
      try copyBytes()
      try requireAtRest()
      try requireSound()
      let copy = try Environment(path: temporary.path, mapSize: opening.configuration.mapSizeMaxBytes)
      self.copy = copy
      try copy.openDatabases(Tables.names(opening.types), until: deadline)
      try SchemaUpgrade(environment: copy, types: opening.types, deadline: deadline).run()
    } catch let error as StorageError {
      var error = error.ofUnfinished(temporary.path, as: source.path)
      if error.code == .foreignFile { error.message = "This file is no backup of a store of this engine." }
      throw error
    }
  }

  /// A store that somebody has open can be written while it is read, and LMDB's locks are those of its name.
  private func requireAtRest() throws {
    guard let identity = try source.identity(), identity.isOpenAnywhere else { return }
    throw StorageError(
      .busy, "This is a store that a program has open. Close it, or make a backup of it and restore that.",
      path: source.path)
  }

  private func copyBytes() throws {
    let reading = open(source.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard reading >= 0 else { throw StorageError.system(errno, doing: "read the backup", path: source.path) }
    defer { close(reading) }
    let writing = open(temporary.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
    guard writing >= 0 else { throw StorageError.system(errno, doing: "copy the backup", path: source.path) }
    defer { close(writing) }
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(reading, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw StorageError.system(errno, doing: "read the backup", path: source.path) }
      if count == 0 { return }
      var done = 0
      while done < count {
        let written = chunk.withUnsafeBytes { write(writing, $0.baseAddress! + done, count - done) }
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { throw StorageError.system(errno, doing: "copy the backup", path: temporary.path) }
        done += written
      }
    }
  }

  private func requireSound() throws {
    let pages = try PageFile(path: temporary.path)
    do {
      try opening.requireOurs(pages, as: source.path)
      try pages.walk()
    } catch let damage as PageFile.Damage {
      throw StorageError(.corrupt, "The backup is damaged: \(damage.reason). Nothing was changed.", path: source.path)
    }
  }

  // MARK: Replacing

  /// Makes the copy the continuation of a store: its identity, and a history that goes on behind both.
  func adopt(by store: LMDBTransaction, _ operation: WriteOperation) throws {
    guard let copy, let tables = Tables(opening.types, handles: copy.handles.withLock({ $0 })) else {
      throw StorageError(.corrupt, "Databases are missing in the backup. Nothing was changed.", path: source.path)
    }
    let reached = max(try store.newestMark()?.sequences.upperBound ?? 0, try store.lastChange())
    let identity = try StoreMeta.identity(store.tables.meta, store.transaction, path: store.path)
    do {
      try adopt(copy, tables, identity, behind: reached, operation)
    } catch let error as StorageError {
      throw error.ofUnfinished(temporary.path, as: source.path)
    }
  }

  private func adopt(
    _ copy: Environment, _ tables: Tables, _ identity: UUID, behind reached: Int64, _ operation: WriteOperation
  ) throws {
    let transaction = LMDBTransaction(copy, tables)
    try transaction.begin(writing: true, until: deadline)
    defer { transaction.end() }
    try transaction.recordBranch(behind: reached, operation)
    try StoreMeta.put(
      StoreMeta.identityKey, withUnsafeBytes(of: identity.uuid) { Array($0) }, tables.meta, transaction.transaction,
      path: temporary.path)
    try transaction.commit()
  }

  /// Replaces everything in a store by the copy, in a transaction of the store. The handles' mutex of the store's
  /// environment is held until that ends: one transaction at a time may open databases.
  func replace(_ store: LMDBTransaction) throws {
    guard let copy else { return }
    let reading = try copy.begin(writing: false, until: deadline)
    defer { copy.end(reading) }
    for name in try store.environment.databaseNames(store.transaction) {
      guard let database = try store.environment.anyDatabase(name, store.transaction) else { continue }
      try store.check(mdb_drop(store.transaction, database, 0), "emptying the store")
    }
    for name in try copy.databaseNames(reading) {
      guard let source = try copy.anyDatabase(name, reading) else { continue }
      var flags: UInt32 = 0
      mdb_dbi_flags(reading, source, &flags)
      var target: MDB_dbi = 0
      try store.check(
        mdb_dbi_open(store.transaction, name, flags | UInt32(MDB_CREATE), &target), "making its databases")
      try fill(target, store, from: source, reading, appending: flags == 0)
    }
    try store.recordSnapshot(isKnown: true)
  }

  private func fill(
    _ target: MDB_dbi, _ store: LMDBTransaction, from source: MDB_dbi, _ reading: OpaquePointer, appending: Bool
  ) throws {
    let walking = try openCursor(source, in: reading, path: temporary.path)
    defer { mdb_cursor_close(walking) }
    let writing = try openCursor(target, in: store.transaction, path: store.path)
    defer { mdb_cursor_close(writing) }
    var (key, value) = (MDB_val(), MDB_val())
    var result = mdb_cursor_get(walking, &key, &value, MDB_FIRST)
    while result == 0 {
      // What an own order of another program makes of the keys is not known here.
      try store.check(mdb_cursor_put(writing, &key, &value, appending ? UInt32(MDB_APPEND) : 0), "filling the store")
      result = mdb_cursor_get(walking, &key, &value, MDB_NEXT)
    }
    guard result == MDB_NOTFOUND else {
      throw StorageError(lmdb: result, doing: "reading the backup", path: self.source.path)
    }
  }
}

extension Environment {
  /// The names in the table of databases. Another program may have put something else there.
  func databaseNames(_ transaction: OpaquePointer) throws -> [String] {
    var main: MDB_dbi = 0
    let result = mdb_dbi_open(transaction, nil, 0, &main)
    guard result == 0 else { throw StorageError(lmdb: result, doing: "listing its databases", path: path) }
    var names: [String] = []
    var cursor = try RangeCursor(main, in: transaction, ranges: [KeyRange()], descending: false, path: path)
    while try cursor.next() {
      let key = UnsafeRawBufferPointer(start: cursor.key.mv_data, count: cursor.key.mv_size)
      if let name = String(validating: key) { names.append(name) }
    }
    return names
  }

  /// A database in whatever form; `nil` if the name is not that of one. The handles' mutex is held.
  fileprivate func anyDatabase(_ name: String, _ transaction: OpaquePointer) throws -> MDB_dbi? {
    var database: MDB_dbi = 0
    let result = mdb_dbi_open(transaction, name, 0, &database)
    if result == MDB_NOTFOUND || result == MDB_INCOMPATIBLE { return nil }
    guard result == 0 else { throw StorageError(lmdb: result, doing: "opening its databases", path: path) }
    return database
  }
}

extension LMDBTransaction {
  /// Whether the store has no record of any type, known to the program or not. The handles' mutex is held until the
  /// transaction ends.
  func hasNoRecords() throws -> Bool {
    for name in try storedTypes() {
      guard let rows = try environment.anyDatabase(name, transaction) else { continue }
      if try entries(of: rows) > 0 { return false }
    }
    return true
  }
}
#endif

#if LMDB
import CLMDB
import FoundationEssentials
import Glibc
import SaverCore

/// Copies of a store, made by LMDB's own copy, which leaves free pages out.
enum LMDBBackup {
  /// Fills an empty file with what is committed in a store; returns when it is whole, checked and closed.
  static func write(_ source: OpenFile, to path: String, mapSize: Int, until deadline: Deadline) throws {
    try copy(source.environment, to: path, until: deadline)
    try requireSound(path)
    let copy = try Environment(path: path, mapSize: mapSize)
    defer { copy.close() }
    try copy.openDatabases(Tables.ownNames, until: deadline)
    guard let tables = Tables([], handles: copy.handles.withLock({ $0 })) else {
      throw StorageError(.corrupt, "Databases of the store have vanished. Restore a backup.", path: path)
    }
    let transaction = LMDBTransaction(copy, tables)
    try transaction.begin(writing: true, until: deadline)
    defer { transaction.end() }
    let newest = try transaction.newestMark()
    try transaction.recordSnapshot(isKnown: try isKnown(newest, in: source, until: deadline))
    try transaction.commit()
  }

  private static func copy(_ environment: Environment, to path: String, until deadline: Deadline) throws {
    let descriptor = open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError.system(errno, doing: "open the new file", path: path) }
    defer { close(descriptor) }
    var flags = UInt32(MDB_CP_COMPACT)
    while true {
      // LMDB reads in a transaction of its own. This one first: it takes over a map that another process has outgrown.
      environment.end(try environment.begin(writing: false, until: deadline))
      guard environment.gate.enter() else { continue }
      let result = mdb_env_copyfd2(environment.pointer, descriptor, flags)
      environment.gate.leave()
      if result == 0 { return }
      guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
        throw StorageError.system(errno, doing: "write the new file", path: path)
      }
      if result == MDB_MAP_RESIZED { continue }
      // A store that has lost pages, which are neither used nor free: they are copied, too.
      if result == MDB_INCOMPATIBLE, flags != 0 {
        flags = 0
        continue
      }
      throw StorageError(lmdb: result, doing: "copying the store", path: path)
    }
  }

  /// Looks at the structure of a file that nobody has open, without LMDB.
  static func requireSound(_ path: String) throws {
    let pages = try PageFile(path: path)
    do {
      try pages.requireAllPages()
      try pages.walk()
    } catch let damage as PageFile.Damage {
      throw StorageError(
        .corrupt, "The content is damaged, and a copy of it would be, too: \(damage.reason).", path: path)
    }
  }

  /// Whether the snapshot that was copied is the result of the newest commit that its history tells of: no other program
  /// had written behind it. Asked of the store, in which LMDB's numbers have not begun anew, afterwards.
  private static func isKnown(
    _ newest: TransactionMark?, in source: OpenFile, until deadline: Deadline
  ) throws -> Bool {
    let transaction = LMDBTransaction(source.environment, source.tables)
    try transaction.begin(writing: false, until: deadline)
    defer { transaction.end() }
    return try transaction.isFollowedAtOnce(newest)
  }

  /// Refuses to give a file the name of a store that somebody has open.
  static func requireUnusedName(_ target: StoreFile) throws {
    guard let identity = try target.identity(), identity.isOpenAnywhere else { return }
    throw StorageError(.cannotCreate, "This is a store that is in use. Choose another name.", path: target.path)
  }
}

extension FileIdentity {
  /// Whether this process or another one has the file open as a store, as far as can be seen.
  var isOpenAnywhere: Bool { EnvironmentRegistry.isOpen(self) || isKeptOpenByAnotherProcess() }
}

extension LMDBTransaction {
  /// Whether nothing lies between an entry of the history, or its beginning, and the next one, or the end: neither a
  /// commit of another program, nor what was trimmed.
  fileprivate func isFollowedAtOnce(_ mark: TransactionMark?) throws -> Bool {
    let cursor = try openCursor(tables.transactions, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    var value = MDB_val()
    let (number, sequence): (UInt64, Int64)
    if let mark {
      let result = HistoryFormat.withKey(mark.sequences.upperBound) { mdb_cursor_get(cursor, &$0, &value, MDB_SET_KEY) }
      guard result == 0 else { return false }
      (number, sequence) = (mark.snapshot, mark.sequences.upperBound)
    } else {
      let created = try StoreMeta.number(Array(StoreMeta.createdKey.utf8), tables.meta, transaction, path: path)
      guard let created else { return false }
      (number, sequence) = (UInt64(bitPattern: created), 0)
    }
    var key = MDB_val()
    let result = mdb_cursor_get(cursor, &key, &value, mark == nil ? MDB_FIRST : MDB_NEXT)
    if result == MDB_NOTFOUND { return UInt64(mdb_txn_id(transaction)) == number }
    guard result == 0, let next = TransactionMark(key: key, value: value) else { return false }
    return next.sequences.lowerBound == sequence + 1 && next.snapshot == number + 1
  }
}
#endif

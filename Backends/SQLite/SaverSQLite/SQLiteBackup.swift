#if SQLite
import CSQLite
import SaverCore

/// Copies of a store, made by SQLite's own backup call in one step: in smaller ones, another process's commit would make
/// it begin again and again.
enum SQLiteBackup {
  /// Fills an empty file with what is committed in a store; returns when it is whole, checked and closed.
  ///
  /// It keeps a journal of the old kind until somebody opens it as a store: one file, which can be read where nothing can
  /// be written.
  static func write(_ source: Connection, to path: String, until deadline: Deadline) throws {
    let copy = try Connection(path)
    copy.deadline = deadline
    try copy.fill(from: source, until: deadline)
    try requireSound(copy)
  }

  /// - Throws: ``StorageError`` with `corrupt` if SQLite's own structures are damaged. Rows of other programs that are no
  ///   records are kept as they are.
  static func requireSound(_ connection: Connection) throws {
    var problem: String?
    try connection.rows("PRAGMA integrity_check(1)", doing: "checking the copy") { row in
      if row.text(0) != "ok" { problem = row.text(0) }
    }
    guard let problem else { return }
    throw StorageError(
      .corrupt, "The content is damaged, and a copy of it would be, too.", path: connection.path,
      cause: StorageError.Cause(domain: "SQLite", code: SQLITE_CORRUPT, text: problem))
  }

  /// Refuses to give a file a name beside which another store has left its log: SQLite would play it into the file.
  static func requireUnusedName(_ target: StoreFile) throws {
    for ending in ["-wal", "-journal"] {
      guard case .file(let size, _) = FileStatus(path: target.path + ending), size > 0 else { continue }
      throw StorageError(
        .cannotCreate, "The log of another store lies there, '\(target.name)\(ending)'. Choose another name.",
        path: target.path)
    }
    if FileLocks.holders(of: target.path, .posix, includingThis: true).isEmpty { return }
    throw StorageError(.cannotCreate, "This is a store that is in use. Choose another name.", path: target.path)
  }
}

extension Connection {
  /// Replaces the content of this connection's file by that of another, in one transaction.
  func copy(from source: Connection, until deadline: Deadline) throws {
    let doing = "copying the store"
    while true {
      guard let backup = sqlite3_backup_init(pointer, "main", source.pointer, "main") else {
        throw failure(sqlite3_errcode(pointer), doing: doing)
      }
      let stepped = sqlite3_backup_step(backup, -1)
      let finished = sqlite3_backup_finish(backup)
      if stepped == SQLITE_DONE && finished == SQLITE_OK { return }
      let result = stepped == SQLITE_DONE ? finished : stepped
      // The busy handlers have waited; what they do not see is the end of a recovery.
      if [SQLITE_BUSY, SQLITE_LOCKED].contains(result & 0xff), !deadline.hasPassed { continue }
      throw failure(result, doing: doing)
    }
  }

  /// Replaces the content of a new file, which nobody else has open and nobody has synced.
  func fill(from source: Connection, until deadline: Deadline) throws {
    try SQLiteOpening.requireWritable(self, path: path)
    let settings = "PRAGMA synchronous = off; PRAGMA journal_mode = MEMORY"
    try execute(settings, doing: "copying the store")
    try copy(from: source, until: deadline)
    // The copied header says that there is a log.
    try execute(settings, doing: "copying the store")
  }
}
#endif

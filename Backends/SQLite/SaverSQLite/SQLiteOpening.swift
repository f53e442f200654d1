#if SQLite
import CSQLite
import FoundationEssentials
import Glibc
import SaverCore

/// Opens a store, or makes it. Until a file is known to be ours, nothing is written to it.
struct SQLiteOpening {
  let location: StoreLocation
  let tables: Tables
  let configuration: SQLiteBackend.Configuration
  var deadline: Deadline
  /// As the caller named it: for messages.
  let path: String

  init(_ location: StoreLocation, types: [RecordType], configuration: SQLiteBackend.Configuration) throws {
    precondition(Set(types.map(\.name)).count == types.count, "two record types have one name")
    self.location = location
    self.configuration = configuration
    tables = Tables(types)
    deadline = Deadline(milliseconds: location.busyTimeoutMilliseconds)
    path = location.path(withExtension: "sqlite")
  }

  func engine() throws -> SQLiteEngine {
    let given = StoreFile(path: path)
    try given.folder.requireLocalFileSystem()
    if case .missing = given.status {
      guard location.creation == .ifMissing else {
        throw StorageError(.noSuchStore, "There is no store.", path: path)
      }
      try create()
    }
    let file = StoreFile(path: path).resolved
    let lock = WriterLock(path: file.lockPath)
    return SQLiteEngine(try open(file, lock, instead: nil, isLocked: false), lock, self)
  }

  /// Opens the file that is there.
  ///
  /// - Parameters:
  ///   - old: the file that this process has had open as the store until now.
  ///   - isLocked: whether the thread has the writer lock.
  func open(_ file: StoreFile, _ lock: WriterLock, instead old: FileIdentity?, isLocked: Bool) throws -> OpenStore {
    let identity = try file.requireRegularFile(as: path)
    try requireOwnLog(file, identity, lock, instead: old, isLocked: isLocked)
    let log = FileStatus(path: file.path + "-wal")

    let connection = try Connection(file.path, tables: tables.all.count)
    connection.deadline = deadline
    // The last close of a foreign file may not write its log back; ours may, as soon as it is known to be ours.
    let hasLog = if case .file(let size, _) = log { size > 0 } else { false }
    if hasLog { _ = saver_sqlite3_db_config(connection.pointer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    try requireOurs(connection)
    try requireWholePages(file, connection)
    if hasLog { _ = saver_sqlite3_db_config(connection.pointer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }

    func locked(_ body: () throws -> Void) throws {
      if isLocked { try body() } else { try lock.withLock(until: deadline, body) }
    }
    let meta = try StoreMeta(connection)
    if try connection.text("PRAGMA journal_mode") != "wal" { try locked { try Self.useLog(connection) } }
    let upgrade = SchemaUpgrade(
      connection: connection, tables: tables, configuration: configuration, retention: location.history)
    if try upgrade.isNeeded(meta) {
      try locked { try upgrade.run(until: deadline) }
      NotifyFile.touch(NotifyFile.path(for: file))
    }
    return OpenStore(file, identity, identity: meta.identity, tables: tables, first: connection)
  }

  // MARK: Checks

  private func requireOurs(_ connection: Connection) throws {
    try Self.requireWritable(connection, path: path)
    try Self.requireFormat(connection, path: path)
  }

  /// SQLite tries to read what it cannot open for writing, for whatever reason.
  static func requireWritable(_ connection: Connection, path: String) throws {
    guard connection.isReadOnly else { return }
    guard access(path, W_OK) != 0 else {
      throw StorageError(
        .inputOutput,
        "The system opens the store for reading only. Close some files, or raise the limit (ulimit -n); or check the"
          + " disk.", path: path)
    }
    throw StorageError(.permission, "This user may not write the store.", path: path)
  }

  /// - Throws: ``StorageError`` if the file is not one of ours, or of another format.
  static func requireFormat(_ connection: Connection, path: String) throws {
    guard try connection.integer("PRAGMA application_id") == Int(StoreFormat.applicationID) else {
      throw StorageError(
        .foreignFile, "This SQLite file belongs to another program. Choose another name for the store.", path: path)
    }
    let version = try connection.integer("PRAGMA user_version")
    guard version == Int(StoreFormat.version) else {
      throw StorageError(
        .unsupportedFormat,
        "The store has format \(version), this program knows \(StoreFormat.version). Use "
          + (version > StoreFormat.version
            ? "a newer version of the program." : "the version that wrote it, and export it from there."),
        path: path)
    }
  }

  /// Refuses a file that ends within a page: SQLite would take what is missing for zeros, and a text for a shorter one.
  private func requireWholePages(_ file: StoreFile, _ connection: Connection) throws {
    let pageSize = Int64(try connection.integer("PRAGMA page_size"))
    guard case .file(let size, _) = file.status, pageSize > 0, size % pageSize != 0 else { return }
    // The page may be in the log; and a process that is writing it back is not done yet.
    if case .file(let size, _) = FileStatus(path: file.path + "-wal"), size > 0 { return }
    throw StorageError(
      .corrupt, "The store is damaged: it was truncated within a page. Restore a backup, or export what is left.",
      path: path)
  }

  static func useLog(_ connection: Connection) throws {
    guard try connection.text("PRAGMA journal_mode = WAL", doing: "switching to a write-ahead log") == "wal" else {
      throw StorageError(
        .unsupportedFileSystem,
        "The file system cannot carry SQLite's write-ahead log. Keep the store on a local disk.",
        path: connection.path)
    }
  }
}
#endif

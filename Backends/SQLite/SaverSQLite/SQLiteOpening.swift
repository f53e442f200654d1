#if SQLite
import CSQLite
import FoundationEssentials
import Glibc
import SaverCore

/// Opens a store, or makes it. Until a file is known to be ours, nothing is written to it.
struct SQLiteOpening {
  let types: [RecordType]
  let tables: Tables
  let configuration: SQLiteBackend.Configuration
  let creation: StoreLocation.Creation
  let busyTimeoutMilliseconds: Int
  let deadline: Deadline
  /// As the caller named it: for messages.
  let path: String

  init(_ location: StoreLocation, types: [RecordType], configuration: SQLiteBackend.Configuration) throws {
    precondition(Set(types.map(\.name)).count == types.count, "two record types have one name")
    self.types = types
    self.configuration = configuration
    tables = Tables(types)
    creation = location.creation
    busyTimeoutMilliseconds = location.busyTimeoutMilliseconds
    deadline = Deadline(milliseconds: location.busyTimeoutMilliseconds)
    path = location.path(withExtension: "sqlite")
  }

  func engine() throws -> SQLiteEngine {
    let given = StoreFile(path: path)
    try given.folder.requireLocalFileSystem()
    if case .missing = given.status {
      guard creation == .ifMissing else {
        throw StorageError(.noSuchStore, "There is no store.", path: path)
      }
      try create()
    }
    let file = StoreFile(path: path).resolved
    let identity = try file.requireRegularFile(as: path)
    let log = FileStatus(path: file.path + "-wal")
    let lock = WriterLock(path: file.lockPath)
    try requireOwnLog(file, identity, log, lock)

    let connection = try Connection(file.path, tables: tables.all.count)
    connection.deadline = deadline
    // The last close of a foreign file may not write its log back; ours may, as soon as it is known to be ours.
    let hasLog = if case .file(let size, _) = log { size > 0 } else { false }
    if hasLog { _ = saver_sqlite3_db_config(connection.pointer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    try requireOurs(connection)
    if hasLog { _ = saver_sqlite3_db_config(connection.pointer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }

    let meta = try StoreMeta(connection)
    if try connection.text("PRAGMA journal_mode") != "wal" {
      try lock.withLock(until: deadline) { try Self.useLog(connection) }
    }
    try SchemaUpgrade(connection: connection, tables: tables, configuration: configuration)
      .run(meta, lock: lock, until: deadline)
    return SQLiteEngine(
      identity: meta.identity, path: path, file: file, fileIdentity: identity, tables: tables, first: connection,
      lock: lock, configuration: configuration, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
  }

  // MARK: Checks

  /// Refuses a log that was written for another file: SQLite would play it into this one.
  private func requireOwnLog(
    _ file: StoreFile, _ identity: FileIdentity, _ log: FileStatus, _ lock: WriterLock
  ) throws {
    guard let recorded = FileIdentity(recordedIn: lock.path), recorded != identity else { return }
    if case .file(let size, _) = log, size > 0 {
      throw StorageError(
        .replacedStore,
        "The store was replaced by another file, and the log beside it, '\(file.name)-wal', belongs to the old one."
          + " If it does belong to this file, delete '\(file.name)-writer'; otherwise move the log away.",
        path: path)
    }
    // Without a log there is nothing to confuse. If a writer is at work it records the file itself.
    guard (try? lock.acquire(until: Deadline(milliseconds: 0))) != nil else { return }
    defer { lock.release() }
    if (try? file.identity()) == identity { try? lock.record(identity) }
  }

  private func requireOurs(_ connection: Connection) throws {
    if connection.isReadOnly {
      throw StorageError(.permission, "This user may not write the store.", path: path)
    }
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

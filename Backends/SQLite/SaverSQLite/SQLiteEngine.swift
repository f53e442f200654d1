#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// An open store: connections for reading, one for writing, and the lock that all writers queue on.
///
/// Closing is letting go of it: SQLite's last close writes the log back into the file.
final class SQLiteEngine: Engine, @unchecked Sendable {
  let identity: UUID
  let path: String?
  let capabilities = StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: true)

  let file: StoreFile
  /// Which file the connections have open.
  let fileIdentity: FileIdentity?
  let tables: Tables
  let pool: ConnectionPool
  let lock: WriterLock
  let configuration: SQLiteBackend.Configuration
  let busyTimeoutMilliseconds: Int

  // MARK: Mutable state
  // Both belong to the thread that has the writer lock.
  /// Made of an idle connection, or opened, by the first write.
  private var writerConnection: Connection?
  private var checkpoints = CheckpointPolicy()

  init(
    identity: UUID, path: String, file: StoreFile, fileIdentity: FileIdentity?, tables: Tables, first: Connection,
    lock: WriterLock, configuration: SQLiteBackend.Configuration, busyTimeoutMilliseconds: Int
  ) {
    self.identity = identity
    self.path = path
    self.file = file
    self.fileIdentity = fileIdentity
    self.tables = tables
    self.lock = lock
    self.configuration = configuration
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    pool = ConnectionPool(file.path, tables: tables.all.count, first: first)
  }

  // MARK: Reading

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    let connection = try pool.take(until: Deadline(milliseconds: busyTimeoutMilliseconds))
    defer { pool.give(connection) }
    try connection.beginReading()
    defer { connection.endReading() }
    try body(SQLiteTransaction(connection, tables))
  }

  // MARK: Writing

  func write(_ body: (any EngineWriteTransaction) throws -> Void) throws {
    // One limit for the queue of our writers and for SQLite's own lock, which foreign writers hold.
    let deadline = Deadline(milliseconds: busyTimeoutMilliseconds)
    // A write within a write on the same thread is refused by the lock, as a precondition.
    try lock.withLock(until: deadline) {
      try recordFile()
      let connection = try writer()
      connection.deadline = deadline
      try connection.run("BEGIN IMMEDIATE", doing: "beginning to write")
      do {
        let transaction = SQLiteTransaction(connection, tables)
        try transaction.fillDerived()
        try body(transaction)
        if transaction.hasUpdatedDerived { try transaction.fillDerived() }
        if let lost = transaction.lostBy { throw lost }
        try connection.commit()
      } catch {
        connection.rollBack()
        throw error
      }
      checkpoints.checkpoint(connection, pool)
    }
    // Here, the lock released, is where the observers of the store are going to be woken.
  }

  /// The connection for writing. Its cache holds what a bulk insert touches.
  private func writer() throws -> Connection {
    if let writerConnection { return writerConnection }
    let connection = try pool.take(until: Deadline(milliseconds: busyTimeoutMilliseconds))
    try connection.execute(
      "PRAGMA synchronous = \(configuration.synchronous.rawValue); PRAGMA cache_size = -16000",
      doing: "preparing to write")
    writerConnection = connection
    return connection
  }

  /// Remembers in the lock file which file the store is, so that whoever opens it notices that it was replaced.
  ///
  /// - Throws: ``StorageError`` if another file has taken the store's place: what is written would be lost with the old.
  private func recordFile() throws {
    guard let fileIdentity else { return }
    guard try file.identity() == fileIdentity else {
      throw StorageError(
        .replacedStore, "The store was moved away or replaced by another file while it was open. Open it again.",
        path: path)
    }
    // A full disk is no reason not to write what fits.
    try? lock.record(fileIdentity)
  }
}
#endif

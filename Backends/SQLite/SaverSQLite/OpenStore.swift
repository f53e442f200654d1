#if SQLite
import FoundationEssentials
import SaverCore

/// The file that a store is at present, with the connections to it. If another file takes its place, another one of
/// these takes over, and this one is closed when the last transaction on it ends.
final class OpenStore: @unchecked Sendable {
  let file: StoreFile
  /// Which file the connections have open.
  let fileIdentity: FileIdentity
  let tables: Tables
  let pool: ConnectionPool

  // MARK: Mutable state
  /// Held for as long as it takes to read or set it.
  private let known: Guarded<UUID>
  // Both belong to the thread that has the writer lock.
  /// Made of an idle connection, or opened, by the first write.
  private var writerConnection: Connection?
  var checkpoints = CheckpointPolicy()

  init(
    _ file: StoreFile, _ fileIdentity: FileIdentity, identity: UUID, tables: Tables, first: Connection
  ) {
    self.file = file
    self.fileIdentity = fileIdentity
    self.tables = tables
    known = Guarded(identity)
    pool = ConnectionPool(file, fileIdentity, tables: tables.all.count, first: first)
  }

  /// As it was read last: another program can put another store's content into the file.
  var identity: UUID { known.withLock { $0 } }

  func note(_ identity: UUID) {
    known.withLock { $0 = identity }
  }

  /// The connection for writing. Its cache holds what a bulk insert touches.
  func writer(_ configuration: SQLiteBackend.Configuration, until deadline: Deadline) throws -> Connection {
    if let writerConnection {
      writerConnection.deadline = deadline
      return writerConnection
    }
    let connection = try pool.take(until: deadline)
    try connection.execute(
      "PRAGMA synchronous = \(configuration.synchronous.rawValue); PRAGMA cache_size = -16000",
      doing: "preparing to write")
    connection.sortInMemory()
    connection.isWriter = true
    writerConnection = connection
    return connection
  }
}
#endif

#if SQLite
import SaverCore

/// Looks at a store with a connection of its own, so that the numbers of its snapshots can be compared.
///
/// Isolation: used by one thread at a time.
final class SQLiteWatcher: EngineWatcher, @unchecked Sendable {
  private let engine: SQLiteEngine

  // MARK: Mutable state
  // Owned by the thread that uses the watcher.
  private var store: OpenStore?
  private var connection: Connection?
  /// Counts the connections: the numbers of two say nothing about each other.
  private var generation: UInt64 = 0

  init(_ engine: SQLiteEngine) {
    self.engine = engine
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    let (store, connection) = try connected()
    connection.deadline = engine.deadline
    try connection.beginReading()
    defer { connection.endReading() }
    let transaction = SQLiteTransaction(connection, store)
    try transaction.requireOwnSchemas()
    try body(transaction)
  }

  func lookAfterStore() throws -> StorePlace {
    let place = try engine.lookAfterStore()
    // Engines that another transaction has led to the new file are new to this watcher all the same.
    guard let store, store !== engine.store else { return place }
    connection = nil
    self.store = nil
    return place == .missing ? .missing : .replaced
  }

  private func connected() throws -> (OpenStore, Connection) {
    let current = engine.store
    if let connection, let store, store === current { return (store, connection) }
    connection = nil
    let connection = try current.pool.open()
    generation += 1
    connection.generation = generation
    self.connection = connection
    store = current
    return (current, connection)
  }
}

extension SQLiteEngine {
  func makeWatcher() throws -> any EngineWatcher { SQLiteWatcher(self) }

  func makeWakeSource() -> any WakeSource {
    // A commit writes the log; the file itself is written by checkpoints.
    FileWakeSource(
      storePath: file.path, notifyPath: NotifyFile.path(for: file), stirringPath: file.path + "-wal")
  }
}
#endif

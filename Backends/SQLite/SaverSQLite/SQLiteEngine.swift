#if SQLite
import FoundationEssentials
import SaverCore

/// An open store: connections for reading, one for writing, and the lock that all writers queue on.
///
/// Closing is letting go of it: SQLite's last close writes the log back into the file.
final class SQLiteEngine: Engine {
  let path: String?
  let capabilities = StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: true)

  let file: StoreFile
  let lock: WriterLock
  /// How the store was opened, to open what takes its place.
  let opening: SQLiteOpening
  let notifyPath: String

  // MARK: Mutable state
  /// Held for as long as it takes to read or exchange it. Exchanged by the thread that has the writer lock.
  private let current: Guarded<OpenStore>

  init(_ store: OpenStore, _ lock: WriterLock, _ opening: SQLiteOpening) {
    path = opening.path
    file = store.file
    self.lock = lock
    self.opening = opening
    notifyPath = NotifyFile.path(for: store.file)
    current = Guarded(store)
  }

  var identity: UUID { store.identity }
  var store: OpenStore { current.withLock { $0 } }
  /// The limit for an operation that begins now.
  var deadline: Deadline { Deadline(milliseconds: opening.location.busyTimeoutMilliseconds) }

  /// Lets everybody who begins a transaction from here on use another file.
  func replace(with new: OpenStore) {
    // The old one may be closed by this, which takes its time: outside of the mutex.
    _ = current.withLock { current in
      defer { current = new }
      return current
    }
  }

  // MARK: Reading

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    let (store, connection) = try readingConnection()
    defer { store.pool.give(connection) }
    try connection.beginReading()
    defer { connection.endReading() }
    let transaction = SQLiteTransaction(connection, store)
    try transaction.requireOwnSchemas()
    try body(transaction)
  }

  func readingConnection() throws -> (OpenStore, Connection) {
    let store = store
    do {
      return (store, try store.pool.take(until: deadline))
    } catch let error as StorageError where error.code == .replacedStore {
      _ = try lookAfterStore()
      let other = self.store
      if other === store { throw error }
      return (other, try other.pool.take(until: deadline))
    }
  }

  // MARK: Writing

  func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws {
    // One limit for the queue of our writers and for SQLite's own lock, which foreign writers hold.
    let deadline = deadline
    // A write within a write on the same thread is refused by the lock, as a precondition.
    let isLogged = try lock.withLock(until: deadline) {
      let store = try storeForWriting(until: deadline)
      let connection = try store.writer(opening.configuration, until: deadline)
      try connection.run("BEGIN IMMEDIATE", doing: "beginning to write")
      let isLogged: Bool
      do {
        let transaction = SQLiteTransaction(connection, store)
        isLogged = try run(body, operation, transaction)
        // A refused row leaves pages to be written that hold what they held, and observers would compare everything.
        guard isLogged || !transaction.hasRefusedRow else {
          connection.rollBack()
          return false
        }
        try connection.commit()
      } catch {
        connection.rollBack()
        throw error
      }
      store.checkpoints.checkpoint(connection, store.pool)
      return isLogged
    }
    if isLogged { NotifyFile.touch(notifyPath) }
  }

  /// Everything between beginning and committing; whether anything was logged.
  private func run(
    _ body: (any EngineWriteTransaction) throws -> Void, _ operation: WriteOperation, _ transaction: SQLiteTransaction
  ) throws -> Bool {
    try transaction.requireOwnSchemas()
    var log = try HistoryLog(transaction.connection)
    let triggers = TriggerCheck(connection: transaction.connection, tables: transaction.tables)
    if try !triggers.isComplete() {
      try triggers.repair()
      try log.addUnknown()
    }
    try transaction.fillDerived()
    try body(transaction)
    log.deduct(transaction.forgottenBytes)
    if transaction.hasUpdatedDerived { try transaction.fillDerived() }
    if let lost = transaction.lostBy { throw lost }
    return try log.finish(operation, hasOldRows: transaction.hasOldRows, opening.location.history)
  }
}
#endif

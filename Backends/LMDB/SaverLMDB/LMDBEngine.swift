#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore
import Synchronization

/// An open store: the environment of its file, and the transaction objects that nobody is using.
///
/// Closing is letting go of it: the last store of this process on the file closes the environment.
final class LMDBEngine: Engine, @unchecked Sendable {
  let identity: UUID
  /// As the caller named it.
  let path: String?
  let capabilities = StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: false)

  let environment: Environment
  let tables: Tables
  let busyTimeoutMilliseconds: Int

  /// How many transaction objects are kept; more are made while more threads read at once.
  private static let idleMax = 8

  // MARK: Mutable state
  /// Held for as long as it takes to take one out or put one in. A transaction object belongs to the thread that took it.
  private let idle = Mutex<[LMDBTransaction]>([])

  /// - Parameter environment: a use of it in the registry, which the engine takes over.
  init(identity: UUID, path: String, environment: Environment, tables: Tables, busyTimeoutMilliseconds: Int) {
    self.identity = identity
    self.path = path
    self.environment = environment
    self.tables = tables
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
  }

  deinit {
    EnvironmentRegistry.release(environment)
  }

  // MARK: Reading

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    try withTransaction(writing: false, until: Deadline(milliseconds: busyTimeoutMilliseconds)) { try body($0) }
  }

  func withTransaction(writing: Bool, until deadline: Deadline, _ body: (LMDBTransaction) throws -> Void) throws {
    let transaction = take()
    defer { give(transaction) }
    try transaction.begin(writing: writing, until: deadline)
    // Does nothing after a commit.
    defer { transaction.end() }
    try body(transaction)
  }

  // MARK: Writing

  func write(_ body: (any EngineWriteTransaction) throws -> Void) throws {
    let deadline = Deadline(milliseconds: busyTimeoutMilliseconds)
    // A write within a write on the same thread is refused by the lock, as a precondition.
    try environment.lock.withLock(until: deadline) {
      try recordFile()
      environment.clearStaleReadersIfBehind()
      try withTransaction(writing: true, until: deadline) { transaction in
        try body(transaction)
        // Here, before the commit, is where the change history is going to be written.
        try transaction.commit()
      }
    }
    // Here, the lock released, is where the observers of the store are going to be woken.
  }

  /// Remembers in the lock file which file the store is, so that whoever opens it notices that it was replaced.
  ///
  /// - Throws: ``StorageError`` if another file has taken the store's place: what is written would be lost with the old.
  private func recordFile() throws {
    guard try FileIdentity(path: environment.path) == environment.identity else {
      throw StorageError(
        .replacedStore, "The store was moved away or replaced by another file while it was open. Open it again.",
        path: path)
    }
    // A full disk is no reason not to write what fits.
    try? environment.lock.record(environment.identity)
  }

  // MARK: Transaction objects

  private func take() -> LMDBTransaction {
    idle.withLock { $0.popLast() } ?? LMDBTransaction(environment, tables)
  }

  private func give(_ transaction: LMDBTransaction) {
    idle.withLock { if $0.count < Self.idleMax { $0.append(transaction) } }
  }
}
#endif

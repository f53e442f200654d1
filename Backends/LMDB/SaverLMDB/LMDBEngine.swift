#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

/// An open store: the environment of its file, and the transaction objects that nobody is using.
///
/// Closing is letting go of it: the last store of this process on the file closes the environment.
final class LMDBEngine: Engine, @unchecked Sendable {
  /// As the caller named it.
  let path: String?
  let capabilities = StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: false)

  /// How the file was opened, and how one that takes its place will be.
  let opening: LMDBOpening

  /// How many transaction objects are kept; more are made while more threads read at once.
  private static let idleMax = 8

  // MARK: Mutable state
  /// Held for as long as it takes to take one out or put one in, or to exchange the file. A transaction object belongs to
  /// the thread that took it.
  private let state: Guarded<State>
  /// Held by whoever opens a file that has taken the place of the one before.
  private let adopting = Monitor()

  private struct State {
    var file: OpenFile
    /// All of this file.
    var idle: [LMDBTransaction] = []
  }

  init(_ file: OpenFile, opening: LMDBOpening) {
    path = opening.path
    self.opening = opening
    state = Guarded(State(file: file))
  }

  var file: OpenFile { state.withLock { $0.file } }
  var identity: UUID { file.identity }
  var environment: Environment { file.environment }

  /// For one operation, from now on.
  var deadline: Deadline { Deadline(milliseconds: opening.busyTimeoutMilliseconds) }

  // MARK: Reading

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    let deadline = deadline
    // A process that compacts the store puts another file in its place, and what is committed from then on is there. What
    // cannot be opened is no reason not to read what is.
    if file.environment.isReplaced() { _ = try? adoptReplacement(until: deadline) }
    try withTransaction(writing: false, until: deadline) { try body($0) }
  }

  /// - Parameter file: the one that the caller has looked at; `nil` for the one that is open.
  func withTransaction(
    _ file: OpenFile? = nil, writing: Bool, until deadline: Deadline, _ body: (LMDBTransaction) throws -> Void
  ) throws {
    let (file, transaction) = take(file)
    defer { give(transaction, file) }
    try transaction.begin(writing: writing, until: deadline)
    // Does nothing after a commit.
    defer { transaction.end() }
    try body(transaction)
  }

  // MARK: Writing

  func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws {
    let deadline = deadline
    let file = try lockFile(until: deadline)
    var isCommitted = false
    do {
      defer { file.environment.lock.release() }
      // A full disk is no reason not to write what fits.
      try? file.environment.lock.record(file.environment.identity)
      file.environment.clearStaleReadersIfBehind()
      try withTransaction(file, writing: true, until: deadline) { transaction in
        try body(transaction)
        guard try transaction.finishHistory(operation, opening.history) else { return }
        try transaction.commit()
        isCommitted = true
      }
    }
    if isCommitted { NotifyFile.touch(file.notifyPath) }
  }

  /// Runs `body` as the only writer, on the file that is at the store's path, and wakes observers behind it.
  func withWriterLock(until deadline: Deadline, _ body: (OpenFile) throws -> Void) throws {
    let file = try lockFile(until: deadline)
    do {
      defer { file.environment.lock.release() }
      try? file.environment.lock.record(file.environment.identity)
      file.environment.clearStaleReadersIfBehind()
      try body(file)
    }
    NotifyFile.touch(file.notifyPath)
  }

  /// Takes the writer lock of the file that is at the store's path; one that has taken the place of the file that was
  /// open is opened for it.
  ///
  /// - Throws: ``StorageError``: `replacedStore` if there is none: what is written would be lost with the old.
  func lockFile(until deadline: Deadline) throws -> OpenFile {
    while true {
      let file = file
      // A write within a write on the same thread is refused by the lock, as a precondition.
      try file.environment.lock.acquire(until: deadline)
      do {
        if try FileIdentity(path: file.environment.path) == file.environment.identity { return file }
      } catch {
        file.environment.lock.release()
        throw error
      }
      file.environment.lock.release()
      guard try adoptReplacement(until: deadline) != .missing else {
        throw StorageError(
          .replacedStore, "The store was moved away while it was open. Put it back, or open it again.", path: path)
      }
    }
  }

  // MARK: Replacement

  /// Opens what has taken the place of the open file, if anything has.
  ///
  /// - Returns: `replaced` if another file is open now than when the function was called.
  func adoptReplacement(until deadline: Deadline) throws -> StorePlace {
    let known = file
    return try adopting.withLock {
      let current = file
      guard let identity = try FileIdentity(path: current.environment.path) else { return .missing }
      if identity == current.environment.identity { return current === known ? .unchanged : .replaced }
      let file = try opening.replacement(turn: current.turn + 1, until: deadline)
      state.withLock { $0 = State(file: file) }
      return .replaced
    }
  }

  func makeWatcher() -> any EngineWatcher { LMDBWatcher(self) }

  func makeWakeSource() -> any WakeSource {
    let file = file
    // A commit writes the data file itself.
    return FileWakeSource(
      storePath: file.environment.path, notifyPath: file.notifyPath, stirringPath: file.environment.path)
  }

  // MARK: Transaction objects

  private func take(_ file: OpenFile?) -> (OpenFile, LMDBTransaction) {
    let (file, idle) = state.withLock { state in
      let wanted = file ?? state.file
      return (wanted, wanted === state.file ? state.idle.popLast() : nil)
    }
    let transaction =
      idle ?? LMDBTransaction(file.environment, file.tables, turn: file.turn, keepsRows: opening.history.keepsRows)
    return (file, transaction)
  }

  private func give(_ transaction: LMDBTransaction, _ file: OpenFile) {
    state.withLock { if $0.file === file && $0.idle.count < Self.idleMax { $0.idle.append(transaction) } }
  }
}
#endif

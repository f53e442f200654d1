import Glibc

/// The lock that lets one writer at a time write to a store, of all threads of all processes.
///
/// It is an exclusive `flock` on a file beside the store, with a queue in front, since `flock` excludes processes only.
/// The lock is tried without waiting. If another process has it, one thread of this process waits in `flock`, without
/// limit, for all threads that want the lock; these wait in a queue, first come, first served, each until its deadline.
/// When that thread gets the lock it hands it to the first in the queue, or releases it if all have given up. Waiting in
/// the kernel, unlike trying again and again, makes its queue the order between processes. A free lock that somebody waits
/// for is nobody else's, except that a process which has just got it may take it again for 2 ms.
///
/// The file is made when first needed, readable and writable for its owner alone, and is never removed: its name can be
/// unlinked or replaced by others at any time, which the next acquisition notices. It holds one line of text, see
/// ``recordedStore``. The lock is given up when the process dies, however it dies, and is not inherited by programs that
/// it starts. It does not survive `fork`: do not use it in a child that was forked without `exec`.
///
/// All functions may be called from any thread; the thread that acquires is the one that releases. The functions block
/// their thread: keep them off the cooperative pool and the main actor.
public final class WriterLock: @unchecked Sendable {
  public let path: String

  private let monitor = Monitor()

  // MARK: Mutable state
  //
  // `state` and `queue` are guarded by `monitor`. `file` belongs to whoever `state` names, who uses it without entering
  // the monitor; the monitor orders the change of hands:
  //
  //   free      nobody here has the lock or waits for it: the file is used inside the monitor.
  //             → held (acquire), → fetching (acquire, when another process has the lock)
  //   fetching  the fetching thread waits in `flock` and alone uses the file.
  //             → granted (fetch), → free (fetch, when all have given up or it failed)
  //   granted   this process has the lock, and the first of the queue was told so and has not woken yet.
  //             → held (acquire)
  //   held      the thread has the lock and alone uses the file.
  //             → free, → fetching (release)
  private var state = State.free
  private var queue: [Waiter] = []
  private let file: LockFile

  private enum State {
    case free
    case fetching
    case granted
    case held(by: pthread_t)
  }

  /// A thread that waits. `outcome` is guarded by `monitor`.
  private final class Waiter {
    let condition = Monitor.Condition()
    /// What came of the waiting; `nil` while it goes on.
    var outcome: Result<Void, any Error>?
  }

  /// Nothing is opened or made until the lock is acquired.
  ///
  /// - Parameter path: The lock file's. All writers of a store use the same one. Two locks on one path exclude each other
  ///   in one process, too, but use one for each store and process: its threads then have an order.
  public convenience init(path: String) {
    self.init(path: path, turn: Self.turn)
  }

  /// - Parameter turn: for how long, in nanoseconds, who has got the lock may take it again although others wait.
  init(path: String, turn: Int64) {
    self.path = path
    file = LockFile(path: path, turn: turn)
  }

  /// 2 ms: ten durable commits, or four of LMDB's.
  static let turn: Int64 = 2_000_000

  // MARK: Acquiring and releasing

  /// Runs `body` while this thread has the lock.
  ///
  /// - Throws: What ``acquire(until:)`` throws, and what `body` throws.
  public func withLock<Result>(until deadline: Deadline, _ body: () throws -> Result) throws -> Result {
    try acquire(until: deadline)
    defer { release() }
    return try body()
  }

  /// Gives the lock to this thread, waiting for it until the deadline; if that has passed, a free lock is still taken.
  ///
  /// - Precondition: This thread does not have the lock: a nested write would wait for itself.
  /// - Throws: ``StorageError``: `.busy`, with the process that has the lock, at the deadline; `.noSuchStore` if the
  ///   folder is missing; `.permission`, `.full`, `.cannotCreate` or `.inputOutput` if the file cannot be opened or made.
  public func acquire(until deadline: Deadline) throws {
    let isAcquired = try monitor.withLock {
      precondition(!isHeldByThisThread, "A write inside a write: this thread has the writer lock already.")
      return try tryAcquire(until: deadline) || waitInQueue(until: deadline)
    }
    guard isAcquired else { throw busyError() }
    file.signLine()
  }

  /// Takes the lock if it is free, and otherwise sees that it is fetched if there is time for that. Inside the monitor.
  private func tryAcquire(until deadline: Deadline) throws -> Bool {
    guard case .free = state else { return false }
    if try file.lock(waiting: false) {
      state = .held(by: pthread_self())
      return true
    }
    if !deadline.hasPassed { try startFetching() }
    return false
  }

  /// Waits at the end of the queue until the lock is granted. Inside the monitor, which it leaves while it waits.
  ///
  /// - Returns: `false` if the deadline passed first.
  private func waitInQueue(until deadline: Deadline) throws -> Bool {
    if deadline.hasPassed { return false }
    let waiter = Waiter()
    queue.append(waiter)
    var isInTime = true
    while waiter.outcome == nil && isInTime {
      isInTime = waiter.condition.wait(in: monitor, until: deadline)
    }
    // A lock that was granted at the last moment is kept: nobody else would release it.
    guard let outcome = waiter.outcome else {
      queue.removeAll { $0 === waiter }
      return false
    }
    try outcome.get()
    state = .held(by: pthread_self())
    return true
  }

  /// Gives the lock to the next that waits for it, in this process or another.
  ///
  /// The process's own queue has no precedence: it fetches the lock anew, behind the processes that wait already.
  ///
  /// - Precondition: This thread has the lock.
  public func release() {
    monitor.withLock {
      precondition(isHeldByThisThread, "Only the thread that has the writer lock can release it.")
      file.unlock()
      state = .free
      guard !queue.isEmpty else { return }
      do {
        try startFetching()
      } catch {
        finishQueue(with: error)
      }
    }
  }

  /// Whether the calling thread has the lock. Inside the monitor.
  private var isHeldByThisThread: Bool {
    if case .held(let thread) = state { pthread_equal(thread, pthread_self()) != 0 } else { false }
  }

  // MARK: Fetching

  /// Starts the thread that waits in `flock`. Inside the monitor, in the state `free`.
  private func startFetching() throws {
    let number = DetachedThread.start { self.fetch() }
    if number != 0 { throw StorageError.system(number, doing: "start a thread to wait for the lock", path: path) }
    state = .fetching
  }

  /// The fetching thread: gets the lock and hands it on.
  private func fetch() {
    let result = Result { try file.lock(waiting: true) }
    monitor.withLock {
      switch result {
      case .failure(let error):
        state = .free
        finishQueue(with: error)
      case .success where queue.isEmpty:
        file.unlock()
        state = .free
      case .success:
        let first = queue.removeFirst()
        state = .granted
        first.outcome = .success(())
        first.condition.signal()
      }
    }
  }

  /// Tells all that wait that the lock cannot be had. Inside the monitor.
  private func finishQueue(with error: any Error) {
    for waiter in queue {
      waiter.outcome = .failure(error)
      waiter.condition.signal()
    }
    queue.removeAll()
  }

  // MARK: The record

  /// The store's file as it was last recorded in the lock file; `nil` if none was.
  ///
  /// The lock file holds one line, `PROCESS DEVICE INODE` in decimal with blanks at its end: the process that locked last,
  /// for people and messages, and the file that the store was, so that whoever opens the store notices that it was
  /// replaced by another. An empty or garbled line records nothing.
  ///
  /// - Precondition: This thread has the lock.
  public var recordedStore: FileIdentity? {
    requireHeld()
    return file.line.store
  }

  /// Records which file the store is; `nil` forgets it.
  ///
  /// The record is not synchronised to the disk: after a crash of the machine it may be the one before, or none.
  ///
  /// - Precondition: This thread has the lock.
  /// - Throws: ``StorageError``: `.full` or `.inputOutput`; the record may then be lost.
  public func record(_ store: FileIdentity?) throws {
    requireHeld()
    if file.line.store != store { try file.record(store) }
  }

  private func requireHeld() {
    precondition(monitor.withLock { isHeldByThisThread }, "The record of a lock file belongs to who has the lock.")
  }

  // MARK: Errors

  private func busyError() -> StorageError {
    let remedy = "Try again when it is done, or allow more time."
    let process = LockFile.process(namedAt: path)
    let message =
      if process == .current {
        "Another thread of this process (\(getpid())) is writing to the store. \(remedy)"
      } else if let process, process.isAlive {
        "Another process (\(process.number)) is writing to the store. \(remedy)"
      } else {
        "Another process is writing to the store. \(remedy)"
      }
    return StorageError(.busy, message, path: path)
  }
}

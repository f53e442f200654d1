import Glibc
import SaverCore

/// Where work that blocks is done: on threads of its own, as many as there is work at once; never on those of the
/// cooperative pool. A thread that has nothing to do is kept for the next work for a while.
enum BlockingWork {
  /// Runs `body` on such a thread and suspends the caller meanwhile. Not cancelled once it runs: a commit is not to be
  /// torn from its result.
  ///
  /// When the caller goes on, the thread holds `body` no more, nor what it captured: a caller that then lets go of a store
  /// is the last to hold it, and the store is closed before a program exits.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try Task.checkCancellation()
    let work = SingleUse(body)
    return try await withCheckedThrowingContinuation { continuation in
      threads.run {
        let result = Swift.Result(catching: work.run)
        continuation.resume(with: result)
      }
    }
  }

  private static let threads = WorkerThreads()
}

/// A closure that is gone once it has run.
private final class SingleUse<Result>: Sendable {
  private let body: Guarded<(@Sendable () throws -> Result)?>

  init(_ body: @escaping @Sendable () throws -> Result) {
    self.body = Guarded(body)
  }

  func run() throws -> Result {
    guard let body = body.withLock({ $0.take() }) else { preconditionFailure("A closure for a single use runs once") }
    return try body()
  }
}

/// Threads that take work from one queue.
private final class WorkerThreads: @unchecked Sendable {
  typealias Work = @Sendable () -> Void

  private static let idleMilliseconds = 5_000

  private let monitor = Monitor()
  private let hasWork = Monitor.Condition()

  // MARK: Mutable state
  // Guarded by `monitor`.
  private var queue: [Work] = []
  /// The threads that wait for work, less those that a signal is on its way to.
  private var idleCount = 0

  func run(_ work: @escaping Work) {
    let needsThread = monitor.withLock {
      queue.append(work)
      guard idleCount > 0 else { return true }
      idleCount -= 1
      hasWork.signal()
      return false
    }
    guard needsThread, DetachedThread.start({ [self] in loop() }) != 0 else { return }
    // The system has no thread to give: better late on this one than never.
    while let work = monitor.withLock({ queue.isEmpty ? nil : queue.removeFirst() }) { work() }
  }

  private func loop() {
    while let work = next() { work() }
  }

  /// The next work; `nil` if there was none for a while, and the thread is to end.
  private func next() -> Work? {
    monitor.withLock {
      if !queue.isEmpty { return queue.removeFirst() }
      idleCount += 1
      let deadline = Deadline(milliseconds: Self.idleMilliseconds)
      while queue.isEmpty, hasWork.wait(in: monitor, until: deadline) {}
      guard queue.isEmpty else { return queue.removeFirst() }
      // No signal is on its way to this thread: the queue would not be empty.
      idleCount -= 1
      return nil
    }
  }
}

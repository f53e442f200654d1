import SaverCore

/// Runs asynchronous code on the main thread of the process.
///
/// The cooperative pool costs a short command three threads and their queues, half a millisecond; and an asynchronous
/// `main` ends the main thread at the first suspension, which unwinds it: a static executable then sorts the unwinding
/// tables of all its code first, 5 to 10 ms. What needs the main actor does not belong here: `dispatchMain()` serves it.
final class MainThread: TaskExecutor, @unchecked Sendable {
  private let monitor = Monitor()
  private let hasJob = Monitor.Condition()

  // MARK: Mutable state
  // Guarded by `monitor`.
  private var jobs: [UnownedJob] = []

  /// Runs `body`, which ends the process; never returns.
  static func run(_ body: @escaping @Sendable () async -> Never) -> Never {
    let executor = MainThread()
    Task(executorPreference: executor) { await body() }
    while true { executor.next().runSynchronously(on: executor.asUnownedTaskExecutor()) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    monitor.withLock {
      jobs.append(job)
      hasJob.signal()
    }
  }

  private func next() -> UnownedJob {
    monitor.withLock {
      while jobs.isEmpty { _ = hasJob.wait(in: monitor, until: .distantFuture) }
      return jobs.removeFirst()
    }
  }
}

import SaverCore

/// Runs tasks on a thread of its own: a check blocks the thread that it runs on, and with it a part of the pool that
/// tasks have in common.
final class ThreadExecutor: TaskExecutor {
  private let jobs = JobQueue()

  init() {
    let jobs = jobs
    _ = DetachedThread.start {
      while let (job, executor) = jobs.next() { job.runSynchronously(on: executor) }
    }
  }

  deinit { jobs.close() }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.append(UnownedJob(job), asUnownedTaskExecutor())
  }

  /// Starts a task that runs here, and wherever what it calls wants to run.
  func run(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: self) { await body() }
  }

  private final class JobQueue: @unchecked Sendable {
    private let monitor = Monitor()
    private let changed = Monitor.Condition()

    // MARK: Mutable state
    // Guarded by `monitor`.
    private var jobs: [(UnownedJob, UnownedTaskExecutor)] = []
    private var isClosed = false

    func append(_ job: UnownedJob, _ executor: UnownedTaskExecutor) {
      monitor.withLock {
        jobs.append((job, executor))
        changed.signal()
      }
    }

    func close() {
      monitor.withLock {
        isClosed = true
        changed.signal()
      }
    }

    func next() -> (UnownedJob, UnownedTaskExecutor)? {
      monitor.withLock {
        while jobs.isEmpty && !isClosed { _ = changed.wait(in: monitor, until: .distantFuture) }
        return jobs.isEmpty ? nil : jobs.removeFirst()
      }
    }
  }
}

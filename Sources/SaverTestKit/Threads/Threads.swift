import Glibc
import SaverCore

/// Threads of the operating system, for checks of what happens at the same time.
///
/// A transaction blocks its thread, so that tasks on the cooperative pool will not do.
enum Threads {
  /// Long enough for the slowest machine; only reached when something hangs.
  static let secondsMax = 60

  struct DidNotEnd: Error {}

  /// Runs the body on as many threads and waits for all of them.
  ///
  /// - Throws: the first error of a body, or ``DidNotEnd``.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let work = Work(body)
    for index in 0..<count {
      let start = Unmanaged.passRetained(Start(work, index))
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
          start.work.run(start.index)
          return nil
        }, start.toOpaque())
      guard code == 0 else {
        start.release()
        throw DidNotEnd()
      }
      pthread_detach(thread)
    }
    var limit = timespec()
    clock_gettime(CLOCK_REALTIME, &limit)
    limit.tv_sec += secondsMax
    for _ in 0..<count { try work.waitForOne(until: limit) }
    if let error = work.firstError { throw error }
  }

  private final class Start {
    let work: Work
    let index: Int

    init(_ work: Work, _ index: Int) {
      self.work = work
      self.index = index
    }
  }

  private final class Work: @unchecked Sendable {
    private let body: @Sendable (Int) throws -> Void

    // MARK: Mutable state
    /// The first error of a thread.
    private let error = Guarded<(any Error)?>(nil)
    /// Counts the threads that have ended; a semaphore guards itself.
    private let ended: UnsafeMutablePointer<sem_t>

    init(_ body: @escaping @Sendable (Int) throws -> Void) {
      self.body = body
      ended = .allocate(capacity: 1)
      sem_init(ended, 0, 0)
    }

    deinit {
      sem_destroy(ended)
      ended.deallocate()
    }

    func run(_ index: Int) {
      do {
        try body(index)
      } catch {
        self.error.withLock { if $0 == nil { $0 = error } }
      }
      sem_post(ended)
    }

    func waitForOne(until limit: timespec) throws {
      var limit = limit
      while sem_timedwait(ended, &limit) != 0 {
        guard errno == EINTR else { throw DidNotEnd() }
      }
    }

    var firstError: (any Error)? { error.withLock { $0 } }
  }
}

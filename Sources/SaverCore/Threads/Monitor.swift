import Glibc

/// A mutex on whose conditions a thread can wait until a deadline.
///
/// `Synchronization` has no wait with a limit, hence the C library's. Not recursive.
package final class Monitor: @unchecked Sendable {
  // MARK: Mutable state
  //
  // `mutex` is the C library's own and made for many threads; the pointer never changes.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  /// Something that a thread inside a monitor waits for.
  package final class Condition: @unchecked Sendable {
    // MARK: Mutable state
    //
    // `condition` is the C library's own and made for many threads; the pointer never changes.
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
      condition = .allocate(capacity: 1)
      condition.initialize(to: pthread_cond_t())
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    }

    deinit {
      pthread_cond_destroy(condition)
      condition.deallocate()
    }

    /// Leaves the monitor, waits, and comes back into it: after a ``signal()``, at the deadline, or for no reason.
    ///
    /// Call it inside the monitor, always with the same one, and look again at what was waited for.
    ///
    /// - Returns: `false` if the deadline has passed.
    package func wait(in monitor: Monitor, until deadline: Deadline) -> Bool {
      var limit = deadline.systemTime
      return pthread_cond_timedwait(condition, monitor.mutex, &limit) == 0
    }

    /// Wakes the thread that waits. Call it inside the monitor.
    package func signal() {
      pthread_cond_signal(condition)
    }
  }
}

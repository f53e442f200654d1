#if LMDB
import CLMDB
import Glibc
import SaverCore

/// Counts the open transactions of one environment, so that its map can be changed while there are none.
///
/// LMDB does not count them: a map that is changed under a reader is a crash.
final class TransactionGate: @unchecked Sendable {
  // MARK: Mutable state
  //
  // `mutex` and `emptied` are the C library's and made for many threads; the pointers never change.
  // `count` and `isShut` are guarded by `mutex`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let emptied: UnsafeMutablePointer<pthread_cond_t>
  private var count = 0
  private var isShut = false

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    emptied = .allocate(capacity: 1)
    emptied.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(emptied, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(emptied)
    emptied.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Counts a transaction that is about to begin; `false` if none may begin any more.
  func enter() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if isShut { return false }
    count += 1
    return true
  }

  /// Counts a transaction that has ended, or did not begin.
  func leave() {
    pthread_mutex_lock(mutex)
    count -= 1
    if count == 0 { pthread_cond_broadcast(emptied) }
    pthread_mutex_unlock(mutex)
  }

  /// Runs `body` while no transaction is open and none can begin; if it throws, none ever will again.
  ///
  /// - Returns: `false`, and `body` did not run, if transactions were open until the deadline.
  func whenEmpty(until deadline: Deadline, _ body: () throws -> Void) throws -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while count > 0 {
      let remaining = deadline.remainingNanoseconds
      if remaining == 0 { return false }
      var limit = timespec()
      clock_gettime(CLOCK_MONOTONIC, &limit)
      // No later than a minute from now, so that nothing overflows; the loop looks again.
      let nanoseconds = Int64(limit.tv_nsec) + min(remaining, 60_000_000_000)
      limit.tv_sec += Int(nanoseconds / 1_000_000_000)
      limit.tv_nsec = Int(nanoseconds % 1_000_000_000)
      pthread_cond_timedwait(emptied, mutex, &limit)
    }
    do { try body() } catch {
      isShut = true
      throw error
    }
    return true
  }
}
#endif

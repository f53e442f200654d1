import Glibc

/// A value that one thread at a time uses.
///
/// What `Mutex` of `Synchronization` is, for values that threads contend for: the thread sanitizer does not see how a
/// contended `Mutex` orders its threads, and reports races that are none. It knows the C library's. Not recursive.
/// For a lock that guards no value, ``Monitor`` (the sanitizer takes writing a value of no size for writing the object).
package final class Guarded<Value>: @unchecked Sendable {
  // MARK: Mutable state
  //
  // `mutex` is the C library's own and made for many threads; the pointer never changes. It guards `value`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

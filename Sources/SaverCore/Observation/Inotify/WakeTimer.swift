#if os(Linux)
import CLinux
import Glibc

/// Wakes a thread that sleeps in `poll` when its time has come.
///
/// Not `poll`'s own timeout: whatever else wakes the thread would first have to take that back, which costs a virtual
/// machine some microseconds when the time is near, and it is near while a commit is awaited. This one stays set until
/// another time is wanted.
struct WakeTimer {
  let descriptor: Int32

  // MARK: Mutable state
  // Of the one thread that sleeps.
  /// What it is set to.
  private var deadline = Deadline.distantFuture

  /// `nil` if the system refuses; `errno` says why.
  init?() {
    descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    if descriptor < 0 { return nil }
  }

  /// Sets the time; one that has passed comes at once, `distantFuture` never.
  mutating func set(_ deadline: Deadline) {
    if deadline == self.deadline { return }
    self.deadline = deadline
    var time = itimerspec()
    if deadline != .distantFuture { time.it_value = deadline.systemTime }
    timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &time, nil)
  }

  /// The time has come: nothing is set any more.
  mutating func clear() {
    deadline = .distantFuture
    var expirations: UInt64 = 0
    _ = read(descriptor, &expirations, MemoryLayout.size(ofValue: expirations))
  }

  func close() {
    _ = Glibc.close(descriptor)
  }
}
#endif

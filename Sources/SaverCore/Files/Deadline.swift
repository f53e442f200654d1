import Glibc

/// A point in time at which waiting ends, on a clock that nobody can set.
///
/// One deadline is made where an operation begins and handed to every wait inside it, so that the waits share one limit
/// instead of adding up. The clock is `CLOCK_MONOTONIC`: it does not jump when the time of day is set, and it stands
/// still while the machine sleeps.
public struct Deadline: Hashable, Sendable {
  /// Nanoseconds on `CLOCK_MONOTONIC`.
  let instant: Int64

  /// A point this many milliseconds from now. Zero or less has passed already; more than the clock can say is
  /// ``distantFuture``.
  public init(milliseconds: Int) {
    let (nanoseconds, tooLong) = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
    self.init(nanoseconds: tooLong ? (milliseconds < 0 ? 0 : .max) : nanoseconds)
  }

  /// A point this many nanoseconds from now.
  public init(nanoseconds: Int64) {
    let (instant, tooLate) = Deadline.now.addingReportingOverflow(max(nanoseconds, 0))
    self.instant = tooLate ? .max : instant
  }

  /// A point on the clock.
  init(instant: Int64) {
    self.instant = instant
  }

  /// The end of time: a wait until then has no limit.
  public static let distantFuture = Deadline(instant: .max)

  /// Nanoseconds until the deadline, 0 once it has passed.
  public var remainingNanoseconds: Int64 {
    max(instant - Deadline.now, 0)
  }

  /// Milliseconds until the deadline, rounded up so that a wait of this length reaches it; 0 once it has passed.
  public var remainingMilliseconds: Int {
    let nanoseconds = remainingNanoseconds
    return Int(nanoseconds / 1_000_000) + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
  }

  public var hasPassed: Bool {
    instant <= Deadline.now
  }

  /// The clock's reading. `CLOCK_MONOTONIC` is always there on Linux, so the call cannot fail.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The deadline as the system's calls take it.
  var systemTime: timespec {
    timespec(tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
  }
}

extension Deadline: Comparable {
  public static func < (left: Deadline, right: Deadline) -> Bool {
    left.instant < right.instant
  }
}

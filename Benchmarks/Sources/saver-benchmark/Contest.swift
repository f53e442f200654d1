import Glibc

/// The best times of two sides that took turns, in seconds.
struct Times {
  var ours = Double.infinity
  var floor = Double.infinity

  mutating func merge(_ other: Times) {
    ours = min(ours, other.ours)
    floor = min(floor, other.floor)
  }
}

/// Which time counts.
enum Clock {
  /// Of this thread's work: other programs on the machine disturb it least.
  case processor
  /// Where waiting for the disk is the work.
  case wall

  var now: Double {
    var time = timespec()
    clock_gettime(self == .processor ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Lets floor and ours take turns, and keeps each one's best time.
///
/// What a side returns is let go of behind the clock: neither side is charged for freeing its results.
func contest<Floor, Ours>(
  rounds: Int, clock: Clock = .processor, floor: (Int) throws -> Floor, ours: (Int) throws -> Ours
) rethrows -> Times {
  var times = Times()
  for round in 0..<rounds {
    times.floor = min(times.floor, try seconds(clock) { try floor(round) })
    times.ours = min(times.ours, try seconds(clock) { try ours(round) })
  }
  return times
}

private func seconds<Result>(_ clock: Clock, _ body: () throws -> Result) rethrows -> Double {
  let start = clock.now
  let result = try body()
  let end = clock.now
  return withExtendedLifetime(result) { end - start }
}

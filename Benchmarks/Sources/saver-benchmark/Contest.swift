import Glibc

/// What two sides took that did the same work in turn, in seconds, round by round.
struct Times {
  private(set) var floor: [Double] = []
  private(set) var ours: [Double] = []

  mutating func add(floor: Double, ours: Double) {
    self.floor.append(floor)
    self.ours.append(ours)
  }

  /// How much of the floor's speed ours reaches, round by round: 1 is as fast, 0.5 takes twice as long.
  var ratios: Spread { Spread(zip(floor, ours).map { $0 / $1 }) }
}

/// Numbers of the same thing, by their middle and their ends.
struct Spread: Encodable {
  var median: Double
  var min: Double
  var max: Double

  /// - Precondition: there is a number.
  init(_ numbers: [Double]) {
    let sorted = numbers.sorted()
    (min, median, max) = (sorted[0], sorted[sorted.count / 2], sorted[sorted.count - 1])
  }
}

/// Which time counts.
enum Clock {
  /// Of this thread's work: other programs on the machine disturb it least.
  case processor
  /// Where waiting for the disk or for another process is the work.
  case wall
  /// Of all threads of this process: where several share the work.
  case allThreads

  private var identifier: clockid_t {
    switch self {
    case .processor: CLOCK_THREAD_CPUTIME_ID
    case .wall: CLOCK_MONOTONIC
    case .allThreads: CLOCK_PROCESS_CPUTIME_ID
    }
  }

  var now: Double {
    var time = timespec()
    clock_gettime(identifier, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// How long `body` takes. What it returns is let go of behind the clock: nobody is charged for freeing results.
  func seconds<Result>(_ body: () throws -> Result) rethrows -> Double {
    let start = now
    let result = try body()
    let end = now
    return withExtendedLifetime(result) { end - start }
  }
}

/// Lets floor and ours take turns; of each round, the best of its attempts counts.
func contest<Floor, Ours>(
  rounds: Int, attempts: Int = 1, clock: Clock = .processor, floor: (Int) throws -> Floor, ours: (Int) throws -> Ours
) rethrows -> Times {
  var times = Times()
  for round in 0..<rounds {
    var best = (floor: Double.infinity, ours: Double.infinity)
    for _ in 0..<attempts {
      best.floor = min(best.floor, try clock.seconds { try floor(round) })
      best.ours = min(best.ours, try clock.seconds { try ours(round) })
    }
    times.add(floor: best.floor, ours: best.ours)
  }
  return times
}

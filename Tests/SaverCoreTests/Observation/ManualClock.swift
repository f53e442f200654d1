import Synchronization

/// A clock that a test sets.
final class ManualClock: Sendable {
  private let time = Atomic<Int64>(1_000_000_000)
  var now: Int64 { time.load(ordering: .sequentiallyConsistent) }
  func advance(milliseconds: Int64) { time.add(milliseconds * 1_000_000, ordering: .sequentiallyConsistent) }
}

import SaverCore
import Testing

/// The turns that a source takes, for a test that waits for them.
final class TurnLog: Sendable {
  private let log = EventLog()
  private let reasons = Guarded<WakeReasons>([])
  private let nextDeadline = Guarded<Int?>(nil)

  /// What the source is started with.
  var turn: @Sendable (WakeReasons) -> Deadline {
    { [self] reasons in
      let milliseconds = nextDeadline.withLock { next in
        defer { next = nil }
        return next
      }
      self.reasons.withLock { $0.formUnion(reasons) }
      log.note("turn")
      return milliseconds.map { Deadline(milliseconds: $0) } ?? .distantFuture
    }
  }

  /// The next turn asks for another one so soon.
  func askAgain(milliseconds: Int) { nextDeadline.withLock { $0 = milliseconds } }

  /// All reasons since the last call of ``take()``.
  var all: WakeReasons { reasons.withLock { $0 } }
  var count: Int { log.all.count }

  func take() -> WakeReasons {
    reasons.withLock { reasons in
      defer { reasons = [] }
      return reasons
    }
  }

  /// Waits until there has been a turn for each of these reasons, and forgets them.
  func wait(for wanted: WakeReasons, sourceLocation: SourceLocation = #_sourceLocation) {
    log.wait(sourceLocation: sourceLocation) { _ in self.all.isSuperset(of: wanted) }
    _ = take()
  }

  /// Waits until all that has happened so far has led to its turn.
  func settle(_ source: some WakeSource) {
    // Events are read before a wake-up is looked at, but one can be on its way: two rounds.
    for _ in 0..<2 {
      let before = count
      source.wake(.request)
      log.wait { $0.count > before }
    }
  }
}

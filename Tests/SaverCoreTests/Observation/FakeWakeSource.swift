import SaverCore

/// Turns are taken when a test says so, on its thread.
final class FakeWakeSource: WakeSource {
  private struct State {
    var turn: (@Sendable (WakeReasons) -> Deadline)?
    var reasons: WakeReasons = []
    var isStopped = false
    var renewals = 0
    var degradation: String?
  }
  private let state = Guarded(State())

  var isStarted: Bool { state.withLock { $0.turn != nil } }
  var isStopped: Bool { state.withLock { $0.isStopped } }
  var renewals: Int { state.withLock { $0.renewals } }
  /// What was asked for and not yet turned.
  var pending: WakeReasons { state.withLock { $0.reasons } }

  var degradation: String? { state.withLock { $0.degradation } }
  func degrade(_ reason: String?) { state.withLock { $0.degradation = reason } }

  func start(_ turn: @escaping @Sendable (WakeReasons) -> Deadline) {
    state.withLock {
      precondition($0.turn == nil)
      $0.turn = turn
    }
  }
  func wake(_ reasons: WakeReasons) { state.withLock { $0.reasons.formUnion(reasons) } }
  func stop() {
    _ = state.withLock { state in
      state.isStopped = true
      defer { state.turn = nil }
      return state.turn
    }
  }
  func renew() { state.withLock { $0.renewals += 1 } }

  /// Takes a turn, for these reasons and those that have been asked for; `nil` if the source is stopped.
  @discardableResult
  func take(_ reasons: WakeReasons = []) -> Deadline? {
    let (turn, all) = state.withLock { state in
      defer { state.reasons = [] }
      return (state.turn, state.reasons.union(reasons))
    }
    return turn?(all)
  }
}

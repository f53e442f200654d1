/// Lets one task wait for something that another thread says has happened.
final class AsyncSignal: Sendable {
  private struct State {
    var isSet = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  // MARK: Mutable state
  /// Held for bookkeeping; nobody is resumed within it.
  private let state = Guarded(State())

  /// Lets the waiting task go on, or the next one that waits.
  func set() {
    let waiter = state.withLock { state in
      if state.waiter == nil { state.isSet = true }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Returns when the signal was set since the last time, or the task is cancelled.
  ///
  /// - Precondition: one task waits at a time.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isSet = state.withLock { state in
          precondition(state.waiter == nil, "two tasks iterate over one live query")
          if state.isSet {
            state.isSet = false
            return true
          }
          state.waiter = continuation
          return false
        }
        if isSet { continuation.resume() }
      }
    } onCancel: {
      set()
    }
  }
}

/// Where a live query leaves its news, and its consumer takes them: the newest state, never a queue.
///
/// The thread that reads the store puts news in and goes on, whatever the consumer does. What was not taken is merged:
/// the mailbox holds the state that was delivered last and the newest one, which share what has not changed.
///
/// Isolation: every function may be called from any thread. `onChange` is called on the thread of the one who puts news
/// in, never within the lock.
final class Mailbox<News: LiveNews>: Sendable {
  private struct State {
    /// What the consumer has.
    var delivered: News?
    /// What it has not.
    var pending: News?
    var kind = LiveUpdateKind.change
    /// `pending` is told even if it is the same as `delivered`.
    var isForced = false
    /// The end of the history in the last snapshot.
    var token: HistoryToken?
    var failure: StorageError?
    var status = ObservationStatus.live
    /// `onChange` was called since the consumer last came.
    var hasRung = false
    var isClosed = false
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var lastTicket = 0
    /// Tickets that were given up before anybody waited with them.
    var abandoned: Set<Int> = []
    /// By how much the consumer has raised the limit so far.
    var more = 0
    var counters = LiveQueryCounters()
  }

  // MARK: Mutable state
  /// Held for bookkeeping only: nothing is read, compared, called or resumed within it.
  private let state = Guarded(State())
  private let onChange: @Sendable () -> Void

  init(onChange: @escaping @Sendable () -> Void) {
    self.onChange = onChange
  }

  // MARK: For the live query

  func put(_ news: News, _ kind: LiveUpdateKind, at token: HistoryToken, isForced: Bool) {
    ring { state in
      state.kind = state.pending == nil ? kind : state.kind.followed(by: kind)
      state.pending = state.pending.map { $0.followed(by: news) } ?? news
      state.isForced = state.isForced || isForced
      state.token = token
      // The query works again before anybody has heard that it did not.
      state.failure = nil
    }
  }

  /// The result is the same in a later snapshot.
  func advance(to token: HistoryToken) {
    state.withLock { $0.token = token }
  }

  func fail(_ error: StorageError) {
    ring { $0.failure = error }
  }

  /// Whoever waits for the store to be read is told if it cannot be.
  func setStatus(_ status: ObservationStatus) {
    ring { $0.status = status }
    if case .unavailable(let error) = status {
      let waiting = state.withLock { state in
        defer { state.waiting = [:] }
        return state.waiting
      }
      for continuation in waiting.values { continuation.resume(throwing: error) }
    }
  }

  func setCounters(_ counters: LiveQueryCounters) {
    state.withLock { $0.counters = counters }
  }

  private func ring(_ change: (inout State) -> Void) {
    let mustRing = state.withLock { state in
      if state.isClosed { return false }
      change(&state)
      defer { state.hasRung = true }
      return !state.hasRung
    }
    if mustRing { onChange() }
  }

  // MARK: For the consumer

  var status: ObservationStatus { state.withLock { $0.status } }
  var counters: LiveQueryCounters { state.withLock { $0.counters } }
  var pending: News? { state.withLock { $0.pending } }

  /// What is new since the last call; `nil` if nothing is.
  ///
  /// What several steps have changed is found out here, on the consumer's thread.
  func take() throws(StorageError) -> News.Update? {
    let (taken, failure) = state.withLock { state -> (State?, StorageError?) in
      state.hasRung = false
      if let failure = state.failure {
        state.failure = nil
        return (nil, failure)
      }
      guard state.pending != nil else { return (nil, nil) }
      let taken = state
      state.delivered = state.pending?.settled
      state.pending = nil
      state.isForced = false
      return (taken, nil)
    }
    if let failure { throw failure }
    guard let taken, let news = taken.pending, let token = taken.token else { return nil }
    return news.update(from: taken.delivered, taken.kind, at: token, taken.status, isForced: taken.isForced)
  }

  /// Nothing is put in any more, and nobody waits.
  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      state.pending = nil
      state.delivered = nil
      state.failure = nil
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.resume(throwing: CancellationError()) }
  }

  /// Adds to what the consumer wants to see beyond the query's limit.
  func want(_ more: Int) {
    state.withLock { state in
      let (sum, isOverflow) = state.more.addingReportingOverflow(more)
      state.more = isOverflow ? .max : sum
    }
  }

  var more: Int { state.withLock { $0.more } }

  // MARK: Waiting

  /// What an answer is asked for with.
  func ticket() -> Int {
    state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
  }

  /// Resumes `continuation` when the ticket is answered or abandoned, or the mailbox is closed.
  func wait(_ ticket: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let error = state.withLock { state -> (any Error)? in
      if state.abandoned.remove(ticket) != nil || state.isClosed { return CancellationError() }
      // It would not be told again.
      if case .unavailable(let error) = state.status { return error }
      state.waiting[ticket] = continuation
      return nil
    }
    if let error { continuation.resume(throwing: error) }
  }

  func answer(_ ticket: Int, _ error: StorageError?) {
    let continuation = state.withLock { $0.waiting.removeValue(forKey: ticket) }
    if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
  }

  func abandon(_ ticket: Int) {
    let continuation = state.withLock { state in
      let continuation = state.waiting.removeValue(forKey: ticket)
      if continuation == nil { state.abandoned.insert(ticket) }
      return continuation
    }
    continuation?.resume(throwing: CancellationError())
  }
}

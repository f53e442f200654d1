import Glibc

/// Watches a store on behalf of its live queries: one for a store and what is copied from that value.
///
/// Made with the store, it is one small object; nothing runs until the first client comes, and nothing is left when the
/// last one has gone. It keeps its clients until they are removed. Whoever hands in a client removes it, and keeps the
/// store, and with it the observer, for as long.
///
/// Isolation: every function may be called from any thread, also by a client within a turn. When ``remove(_:)`` has
/// returned, the client is called no more, except by a turn that was running on another thread at that time.
@usableFromInline
package final class StoreObserver: Sendable {
  /// For tests: called at certain points, so that a commit happens right there.
  package struct Hooks: Sendable {
    /// The source listens, and nothing has been fetched. On the thread of ``StoreObserver/add(_:)``.
    package var didStartListening: (@Sendable () -> Void)?
    /// A client has fetched for the first time, the snapshot is closed, nothing is published. On the thread of turns.
    package var didBegin: (@Sendable (any ObserverClient) -> Void)?
    /// A turn has ended. On the thread of turns.
    package var didTurn: (@Sendable (WakeReasons) -> Void)?
    /// What time it is, in nanoseconds, instead of the system's clock.
    package var clock: (@Sendable () -> Int64)?

    package init() {}
  }

  private let engine: any Engine

  // MARK: Mutable state
  /// Held while a source starts or stops, so that the two do not cross; never while a client is called or released.
  private let state = Guarded(State())

  private struct State {
    /// From the first client to the last one.
    var run: ObserverRun?
    var hooks = Hooks()
    /// The one that has ended last, for as long as a turn of it goes on.
    weak var ended: ObserverRun?
    /// Of the runs that have ended.
    var counters = ObserverCounters()
  }

  package init(_ engine: any Engine) {
    self.engine = engine
  }

  package var hooks: Hooks {
    get { state.withLock { $0.hooks } }
    set { state.withLock { $0.hooks = newValue } }
  }

  /// How well the store is observed; `live` while nobody asks for anything.
  package var status: ObservationStatus { state.withLock { $0.run }?.status ?? .live }

  package var counters: ObserverCounters {
    state.withLock { state in
      state.run.map { state.counters.adding($0.counters) } ?? state.counters
    }
  }

  /// Begins to observe for a client: ``ObserverClient/begin(_:at:)`` is called soon, on the thread of turns. No commit
  /// between that fetch and the next call is missed.
  package func add(_ client: any ObserverClient) {
    let (run, isNew, hooks) = state.withLock { state in
      let isNew = state.run == nil
      let run = state.run ?? ObserverRun(engine, state.hooks)
      run.add(client)
      if isNew {
        state.run = run
        run.start()
      }
      return (run, isNew, state.hooks)
    }
    if isNew { hooks.didStartListening?() }
    run.wake(.request)
  }

  /// Calls the client no more. Does nothing if it was not added, or has been removed.
  package func remove(_ client: any ObserverClient) {
    // Handed out, so that the client, and all that goes with the last one, is released without the lock.
    _ = state.withLock { state -> (ObservedClient?, ObserverRun?) in
      guard let run = state.run, let entry = run.remove(client) else { return (nil, nil) }
      guard run.isEmpty else { return (entry, nil) }
      run.stop()
      state.run = nil
      state.ended = run
      state.counters = state.counters.adding(run.counters)
      return (entry, run)
    }
  }

  /// Waits until the turn is over that was under way when the last client was removed, and has let go of the store.
  /// Returns at once if there is none, or if there are clients. Blocks; not for the thread of turns.
  package func waitForLastTurn(until deadline: Deadline) {
    while !deadline.hasPassed {
      // Handed out: it may be released here, and not within the lock.
      let (run, ended) = state.withLock { ($0.run, $0.ended) }
      guard run == nil, ended != nil else { return }
      usleep(500)
    }
  }

  /// Runs `body` in the snapshot of a turn soon, after the client has been brought to that snapshot, and lets the client
  /// publish. If it throws, it is run again in a later one.
  ///
  /// Not run at all if the client is not there, or is removed first.
  package func request(
    _ client: any ObserverClient, _ body: @escaping @Sendable (borrowing ReadTransaction, HistoryToken) throws -> Void
  ) {
    guard let run = state.withLock({ $0.run }), run.request(client, body) else { return }
    run.wake(.request)
  }

  /// A commit of this process is complete and visible. A writer calls it without any lock of the engine.
  @usableFromInline
  package func committed() {
    state.withLock { $0.run }?.wake(.commit)
  }
}

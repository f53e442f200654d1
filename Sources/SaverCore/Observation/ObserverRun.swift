/// One period of observing a store: from the first live query to the last.
///
/// A turn is one call by the source. It decides whether to look (``CheckSchedule``), looks in one short snapshot, tells
/// each client in it what has changed, closes it, and lets the clients publish. Nothing is held open in between.
///
/// # States
///
/// A run is in one of these; all but the first and the last are the turns' to enter and to leave:
///
///     listening   `last` is nil     start(): the source listens; nothing has been read
///     following   `last` is set     a check has worked: every client shows `last`, or is behind
///     retrying    failures > 0      a check has failed: `last` is as it was; the next try is due at schedule.next
///     ended                         stop(), or the run is freed: no turn begins any more
///
///     listening ──check──▶ following ◀──check── retrying        following, listening ──failed check──▶ retrying
///
/// Beside that, `isMissing` says that nothing is at the store's path (the store that is open is read on), and
/// `isReplaced` that the next check must compare in full, until one has worked. Each client has a phase of its own
/// (``ObservedClient/Phase``): new ─begin─▶ current ─maintain fails─▶ behind ─maintain─▶ current.
///
/// `last` moves within the snapshot, after everything that can throw and before the first client is told. A client that
/// fails after that is behind by itself, and does not hold up the others.
final class ObserverRun: @unchecked Sendable {
  struct Request: Sendable {
    let entry: ObservedClient
    let body: @Sendable (borrowing ReadTransaction, HistoryToken) throws -> Void
  }

  struct Members {
    var entries: [ObservedClient] = []
    var requests: [Request] = []
    var status = ObservationStatus.live
    var counters = ObserverCounters()
  }

  let engine: any Engine
  let hooks: StoreObserver.Hooks
  let source: any WakeSource

  // MARK: Mutable state
  /// The clients, and what other threads may ask for. Held for bookkeeping only.
  let members = Guarded(Members())
  // The rest belongs to the thread of turns, of which there is one at a time.
  var schedule: CheckSchedule
  /// Made by the first turn that can; the store may not be readable at first.
  var watcher: (any EngineWatcher)?
  /// Of the last snapshot: what the clients show.
  var last: HistoryHead?
  /// Another file has taken the store's place since the last snapshot.
  var isReplaced = false
  /// Nothing is at the store's path.
  var isMissing = false
  /// Why the last check failed.
  var failure: (any Error)?

  init(_ engine: any Engine, _ hooks: StoreObserver.Hooks) {
    self.engine = engine
    self.hooks = hooks
    source = engine.makeWakeSource()
    schedule = CheckSchedule(at: hooks.clock?() ?? Deadline.now)
  }

  /// Whoever forgets to remove a client still ends the turns.
  deinit { source.stop() }

  var now: Int64 { hooks.clock?() ?? Deadline.now }

  func start() {
    // Weak: the source keeps the closure for as long as it runs, and this keeps the source.
    source.start { [weak self] reasons in self?.turn(reasons) ?? .distantFuture }
  }

  func stop() { source.stop() }

  func wake(_ reasons: WakeReasons) { source.wake(reasons) }

  // MARK: Clients

  var isEmpty: Bool { members.withLock { $0.entries.isEmpty } }
  var status: ObservationStatus { members.withLock { $0.status } }
  var counters: ObserverCounters { members.withLock { $0.counters } }

  func add(_ client: any ObserverClient) {
    members.withLock { $0.entries.append(ObservedClient(client)) }
  }

  func remove(_ client: any ObserverClient) -> ObservedClient? {
    members.withLock { members in
      guard let index = members.entries.firstIndex(where: { $0.client === client }) else { return nil }
      let entry = members.entries.remove(at: index)
      entry.leave()
      return entry
    }
  }

  /// Returns whether the client is there.
  func request(
    _ client: any ObserverClient, _ body: @escaping @Sendable (borrowing ReadTransaction, HistoryToken) throws -> Void
  ) -> Bool {
    members.withLock { members in
      guard let entry = members.entries.first(where: { $0.client === client }) else { return false }
      members.requests.append(Request(entry: entry, body: body))
      return true
    }
  }
}

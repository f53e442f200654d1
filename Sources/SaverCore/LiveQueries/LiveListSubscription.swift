/// A live query that says when there is something new, and hands it over when asked: what a view model keeps.
///
///     subscription = LiveListSubscription(store, query) { [weak self] in
///       Task { @MainActor in self?.drain() }
///     }
///
/// It follows the store from its creation until it is cancelled or released. A consumer that does not come for a while
/// is handed one update that stands for all.
///
/// Isolation: every function may be called from any thread; updates are for one consumer.
public final class LiveListSubscription<R: Record>: Sendable {
  private let client: LiveClient<LiveWindow<R>>
  private let observer: StoreObserver

  /// - Parameter onChange: called when ``take()`` has something to hand over, or ``status`` is another, and not again
  ///   until ``take()`` was called. On a thread of the store's observer, which it must not keep waiting.
  public init(_ store: Store, _ query: Query<R>, onChange: @escaping @Sendable () -> Void) {
    observer = store.observer
    client = LiveClient(Mailbox(onChange: onChange)) {
      LiveWindow(try LiveCondition(query))
    }
    observer.add(client)
  }

  deinit { cancel() }

  /// The state that is newer than the one handed over before, and what has changed; `nil` if there is none.
  ///
  /// The first is the whole result. When several commits have come since, their difference is found out here: in time
  /// that grows with what they have changed.
  ///
  /// - Throws: ``StorageError`` with `invalidQuery`, or with `damagedRow` if a row cannot be decoded: each once. The
  ///   list stays what it was; when the row is mended or gone, the next update says so.
  public func take() throws(StorageError) -> ListUpdate<R>? { try client.mailbox.take() }

  /// How well the list is kept up to date.
  public var status: ObservationStatus { client.mailbox.status }

  /// Raises the limit of the query, so that the list grows by as many records if there are any.
  public func loadMore(by count: Int) {
    precondition(count >= 0, "a limit cannot be lowered")
    client.mailbox.want(count)
    observer.request(client) { [client] transaction, token in
      let engine = transaction.engine
      // All that was asked for so far: right even if it is done twice.
      try client.serve(nil, at: token) { try $0.extendNews(by: client.mailbox.more, engine) }
    }
  }

  /// Fetches the whole result again, and returns when that is done; what has changed can be taken then.
  ///
  /// A live list needs no reloading; this is for a person who wants to be sure.
  ///
  /// - Throws: ``StorageError`` if the store cannot be read at the moment, or a row cannot be decoded;
  ///   `CancellationError` if the task or the subscription was cancelled.
  public func reload() async throws {
    let mailbox = client.mailbox
    let ticket = mailbox.ticket()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        mailbox.wait(ticket, continuation)
        observer.request(client) { [client] transaction, token in
          let engine = transaction.engine
          try client.serve(ticket, at: token) { try $0.fetchNews(engine) }
        }
      }
    } onCancel: {
      mailbox.abandon(ticket)
    }
  }

  /// Ends it: `onChange` is not called any more, but by a call that has already begun on another thread.
  public func cancel() {
    observer.remove(client)
    client.mailbox.close()
  }

  // MARK: For tests

  package var counters: LiveQueryCounters { client.mailbox.counters }
  /// The list that waits to be taken.
  var pendingItems: RecordList<R>? { client.mailbox.pending?.items }
}

/// A live number of results that says when it is another: ``LiveListSubscription`` for counts.
public final class LiveCountSubscription<R: Record>: Sendable {
  private let client: LiveClient<LiveTally<R>>
  private let observer: StoreObserver

  /// - Parameter onChange: called when ``take()`` has something to hand over, or ``status`` is another, and not again
  ///   until ``take()`` was called. On a thread of the store's observer, which it must not keep waiting.
  public init(_ store: Store, _ query: Query<R>, onChange: @escaping @Sendable () -> Void) {
    observer = store.observer
    client = LiveClient(Mailbox(onChange: onChange)) {
      LiveTally(try LiveCondition(query))
    }
    observer.add(client)
  }

  deinit { cancel() }

  /// The number, if it is another than the one handed over before.
  ///
  /// - Throws: ``StorageError`` with `invalidQuery`, once.
  public func take() throws(StorageError) -> CountUpdate? { try client.mailbox.take() }

  /// How well the number is kept up to date.
  public var status: ObservationStatus { client.mailbox.status }

  /// Ends it: `onChange` is not called any more, but by a call that has already begun on another thread.
  public func cancel() {
    observer.remove(client)
    client.mailbox.close()
  }

  /// For tests.
  package var counters: LiveQueryCounters { client.mailbox.counters }
}

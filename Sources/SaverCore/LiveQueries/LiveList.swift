/// The states of a query's result: the one that is there, and each that commits make of it.
///
///     for try await update in store.live(Query<Note>().sorted(by: \.createdAt, descending: true).limit(50)) {
///       show(update.items)
///     }
///
/// Each loop follows the store by itself, from its beginning until it ends, its task is cancelled, or its iterator is
/// released. A loop that is slow gets one update that stands for all that it has missed.
/// It ends with an error if the query is invalid or a row in its result cannot be decoded: begin another one then, or
/// keep a ``LiveListSubscription``, which goes on. A store that cannot be read for a while ends nothing.
public struct LiveList<R: Record>: AsyncSequence, Sendable {
  public typealias Element = ListUpdate<R>
  public typealias Failure = StorageError

  let store: Store
  let query: Query<R>

  public func makeAsyncIterator() -> AsyncIterator {
    let signal = AsyncSignal()
    return AsyncIterator(signal: signal, subscription: LiveListSubscription(store, query) { signal.set() })
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let signal: AsyncSignal
    fileprivate(set) var subscription: LiveListSubscription<R>?

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(StorageError) -> ListUpdate<R>? {
      while let subscription, !Task.isCancelled {
        do {
          if let update = try subscription.take() { return update }
        } catch {
          self.subscription = nil
          throw error
        }
        await signal.wait()
      }
      subscription = nil
      return nil
    }
  }
}

extension Store {
  /// The result of a query as it is, and as it becomes.
  public func live<R: Record>(_ query: Query<R>) -> LiveList<R> {
    LiveList(store: self, query: query)
  }
}

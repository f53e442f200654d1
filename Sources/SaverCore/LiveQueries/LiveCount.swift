/// The numbers of a query's results: the one that there is, and each other one that commits make of it.
///
/// It behaves as ``LiveList`` does; no row is decoded, so that a damaged one counts too.
public struct LiveCount<R: Record>: AsyncSequence, Sendable {
  public typealias Element = CountUpdate
  public typealias Failure = StorageError

  let store: Store
  let query: Query<R>

  public func makeAsyncIterator() -> AsyncIterator {
    let signal = AsyncSignal()
    return AsyncIterator(signal: signal, subscription: LiveCountSubscription(store, query) { signal.set() })
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let signal: AsyncSignal
    fileprivate(set) var subscription: LiveCountSubscription<R>?

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(StorageError) -> CountUpdate? {
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

/// A new number of results.
public struct CountUpdate: Sendable {
  /// The number of results of the query on one committed snapshot.
  public var count: Int
  /// The end of the history in the last snapshot of which `count` is known to be right.
  public var token: HistoryToken
  public var kind: LiveUpdateKind
  public var status: ObservationStatus
}

extension Store {
  /// The number of a query's results as it is, and as it becomes.
  public func liveCount<R: Record>(_ query: Query<R>) -> LiveCount<R> {
    LiveCount(store: self, query: query)
  }
}

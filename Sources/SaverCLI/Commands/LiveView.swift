import SaverCore
import SaverKit

/// A live list of all items, on behalf of a command that only wants to see whether it works.
struct LiveView {
  private let store: Store
  private let subscription: LiveListSubscription<SavedItem>
  private let monitor: Monitor
  private let hasNews: Monitor.Condition

  /// Long enough for the slowest disk; only reached when live views do not work.
  private static let millisecondsMax = 30_000

  init(_ store: Store) {
    let (monitor, hasNews) = (Monitor(), Monitor.Condition())
    (self.monitor, self.hasNews) = (monitor, hasNews)
    self.store = store
    subscription = LiveListSubscription(store, SavedItemSelection().query) {
      monitor.withLock { hasNews.signal() }
    }
  }

  var status: ObservationStatus { subscription.status }

  /// The number of items that it shows.
  ///
  /// - Throws: ``CommandFailure`` if it shows nothing in time; ``StorageError`` if it cannot.
  func count() throws -> Int {
    let deadline = Deadline(milliseconds: Self.millisecondsMax)
    return try monitor.withLock {
      while true {
        if let update = try subscription.take() { return update.items.count }
        if case .unavailable(let error) = subscription.status { throw error }
        guard hasNews.wait(in: monitor, until: deadline) else { throw CommandFailure("a live view shows nothing") }
      }
    }
  }

  /// When it returns, nothing of the view holds the store any more: a command that ends now closes it.
  func end() {
    subscription.cancel()
    store.observer.waitForLastTurn(until: Deadline(milliseconds: 1_000))
  }
}

import Foundation
import Testing

@testable import SaverCore

/// Waits for what another thread does, with a generous limit.
final class Bell: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let rings = Guarded(0)

  var count: Int { rings.withLock { $0 } }

  func ring() {
    rings.withLock { $0 += 1 }
    semaphore.signal()
  }

  func wait(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(semaphore.wait(timeout: .now() + 60) == .success, "nothing came", sourceLocation: sourceLocation)
  }
}

/// A consumer of a live list that applies each difference to what it had.
final class LiveConsumer<R: Record & Hashable> {
  let bell = Bell()
  let subscription: LiveListSubscription<R>
  private(set) var list = RecordList<R>()
  private(set) var updates: [ListUpdate<R>] = []

  init(_ store: Store, _ query: Query<R>) {
    let bell = bell
    subscription = LiveListSubscription(store, query) { bell.ring() }
  }

  /// Waits for the next update.
  @discardableResult
  func next() throws -> ListUpdate<R> {
    while true {
      bell.wait()
      if let update = try take() { return update }
    }
  }

  func take() throws -> ListUpdate<R>? {
    guard let update = try subscription.take() else { return nil }
    list = list.applying(update.difference)
    #expect(list == update.items)
    updates.append(update)
    return update
  }
}

extension Store {
  /// Returns when the observer has taken a turn behind everything that is committed.
  func settle() {
    let bell = Bell()
    let client = Passer(bell)
    observer.add(client)
    bell.wait()
    observer.remove(client)
  }
}

/// A client that says when it has begun: a turn has been taken since it was added, and all others have been served.
private final class Passer: ObserverClient {
  private let bell: Bell
  init(_ bell: Bell) { self.bell = bell }
  func begin(_ transaction: borrowing ReadTransaction, at token: HistoryToken) {}
  func maintain(_ report: ChangeReport, _ transaction: borrowing ReadTransaction, at token: HistoryToken) {}
  func publish() { bell.ring() }
  func statusChanged(_ status: ObservationStatus) {}
}

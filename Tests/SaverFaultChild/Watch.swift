import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// Two live queries of a process, and a thread that takes what they publish, as a list on a screen does.
final class Watch: Sendable {
  private let store: Store
  private let query: Query<SavedItem>
  private let follower = Follower()

  private final class Follower: @unchecked Sendable {
    let monitor = Monitor()
    let changed = Monitor.Condition()
    let ended = Monitor.Condition()

    // MARK: Mutable state
    // Guarded by `monitor`.
    var subscription: LiveListSubscription<SavedItem>?
    var countSubscription: LiveCountSubscription<SavedItem>?
    var hasRung = true
    var isOver = false
    var hasEnded = false
    var shown: [SavedItem] = []
    var count = -1
    var updates = 0
    var failure: String?

    func ring() {
      monitor.withLock {
        hasRung = true
        changed.signal()
      }
    }
  }

  init(_ store: Store) {
    self.store = store
    var selection = SavedItemSelection()
    selection.limit = 50
    query = selection.query
    let follower = follower
    let subscription = LiveListSubscription(store, query) { follower.ring() }
    let count = LiveCountSubscription(store, Query<SavedItem>()) { follower.ring() }
    follower.monitor.withLock { (follower.subscription, follower.countSubscription) = (subscription, count) }
    _ = DetachedThread.start { Self.follow(follower) }
  }

  /// When it returns, nothing of the watch holds the store any more.
  func end() {
    // Handed out, so that they are released without the lock.
    _ = follower.monitor.withLock {
      follower.isOver = true
      follower.changed.signal()
      while !follower.hasEnded { _ = follower.ended.wait(in: follower.monitor, until: .distantFuture) }
      defer { (follower.subscription, follower.countSubscription) = (nil, nil) }
      return (follower.subscription, follower.countSubscription)
    }
    store.observer.waitForLastTurn(until: Deadline(milliseconds: 30_000))
  }

  private static func follow(_ follower: Follower) {
    while true {
      let goesOn = follower.monitor.withLock {
        while !follower.hasRung && !follower.isOver {
          _ = follower.changed.wait(in: follower.monitor, until: .distantFuture)
        }
        follower.hasRung = false
        follower.hasEnded = follower.isOver
        follower.ended.signal()
        return !follower.isOver
      }
      guard goesOn else { return }
      do { try takeAll(follower) } catch { follower.monitor.withLock { follower.failure = "\(error)" } }
    }
  }

  private static func takeAll(_ follower: Follower) throws {
    let (subscription, count) = follower.monitor.withLock { (follower.subscription, follower.countSubscription) }
    while let update = try subscription?.take() {
      let items = Array(update.items)
      follower.monitor.withLock {
        follower.shown = items
        follower.updates += 1
      }
    }
    while let update = try count?.take() { follower.monitor.withLock { follower.count = update.count } }
  }

  /// Waits until the lists show what a fetch gives now: a number that stands for all of it, and how often they changed.
  func settled() throws -> String {
    let (fresh, all) = try store.read { (try $0.fetch(query), try $0.count(Query<SavedItem>())) }
    let deadline = Deadline(milliseconds: 10_000)
    while true {
      let (shown, count, updates, failure) = follower.monitor.withLock {
        (follower.shown, follower.count, follower.updates, follower.failure)
      }
      if let failure { throw StorageError(.internalError, "A live query failed: \(failure)") }
      if shown == fresh && count == all { return "\(Digest(of: shown)) \(all) \(updates)" }
      if deadline.hasPassed {
        throw StorageError(.internalError, "A live query shows \(count) items, there are \(all).")
      }
      usleep(1_000)
    }
  }
}

import Foundation
import SaverMemory
import Testing

@testable import SaverCore

/// Whoever lets go of a live query leaves nothing behind.
@Suite(.timeLimit(.minutes(10))) struct LiveLeakTests {
  private let byRank = Query<LiveSample>().sorted(by: \.rank)

  /// What a callback holds, to see that it is let go.
  private final class Canary: Sendable {
    let bell: Bell
    init(_ bell: Bell) { self.bell = bell }
    deinit { bell.ring() }
  }

  @Test func subscription() throws {
    let store = try LiveSample.store((0..<10).map { LiveSample($0) })
    let gone = Bell()
    let rung = Bell()
    weak var weakSubscription: LiveListSubscription<LiveSample>?
    do {
      let canary = Canary(gone)
      let subscription = LiveListSubscription(store, byRank) {
        _ = canary
        rung.ring()
      }
      weakSubscription = subscription
      rung.wait()
      _ = try subscription.take()
    }
    #expect(weakSubscription == nil)
    gone.wait()
    try store.write { try $0.insert(LiveSample(20)) }
    #expect(rung.count == 1)
  }

  /// The last reference goes on a thread of its own, or on the observer's, in the middle of a turn.
  @Test func releaseOnAnyThread() throws {
    let store = try LiveSample.store((0..<10).map { LiveSample($0) })
    for round in 0..<50 {
      let gone = Bell()
      let holder = Holder()
      let canary = Canary(gone)
      let rung = Bell()
      holder.put(
        LiveListSubscription(store, byRank) { [canary] in
          _ = canary
          rung.ring()
          if round % 2 == 0 { holder.release() }
        })
      if round % 2 == 1 {
        Thread.detachNewThread {
          if round % 3 == 0 { rung.wait() }
          holder.release()
        }
      } else {
        // Its first result may have come before it was put there.
        rung.wait()
        holder.release()
      }
      _ = consume canary
      gone.wait()
    }
  }

  private final class Holder: Sendable {
    private let subscription = Guarded<LiveListSubscription<LiveSample>?>(nil)
    func put(_ new: LiveListSubscription<LiveSample>) { subscription.withLock { $0 = new } }
    func release() {
      let released = subscription.withLock { subscription in
        defer { subscription = nil }
        return subscription
      }
      _ = released
    }
  }

  @Test func iterator() async throws {
    let (store, sources) = try CountingEngine.store((0..<10).map { LiveSample($0) })
    weak var subscription: LiveListSubscription<LiveSample>?
    do {
      var iterator = store.live(byRank).makeAsyncIterator()
      #expect(try await iterator.next()?.items.count == 10)
      subscription = iterator.subscription
      #expect(subscription != nil)
    }
    #expect(subscription == nil)
    for try await _ in store.live(byRank) { break }
    for try await _ in store.liveCount(byRank) { break }
    #expect(sources.running == 0)
  }

  /// A task that waits for the next update and is cancelled ends, and its query with it.
  @Test func cancelledTasks() async throws {
    let (store, sources) = try CountingEngine.store((0..<10).map { LiveSample($0) })
    for round in 0..<20 {
      let begun = AsyncSignal()
      let task = Task {
        var count = 0
        for try await _ in store.live(byRank) {
          count += 1
          begun.set()
        }
        return count
      }
      if round % 2 == 0 { await begun.wait() }
      task.cancel()
      #expect(try await task.value <= 1)
      #expect(sources.running == 0)
    }
    let task = Task { for try await _ in store.liveCount(byRank) {} }
    task.cancel()
    try await task.value
    #expect(sources.running == 0)
  }

  /// A reload that nobody waits for any more is no reload that hangs.
  @Test func cancelledReload() async throws {
    let store = try LiveSample.store((0..<10).map { LiveSample($0) })
    for _ in 0..<50 {
      let subscription = LiveListSubscription(store, byRank) {}
      let task = Task { try await subscription.reload() }
      task.cancel()
      do { try await task.value } catch { #expect(error is CancellationError) }
    }
  }
}

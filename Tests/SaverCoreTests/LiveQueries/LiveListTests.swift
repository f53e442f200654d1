import Foundation
import SaverMemory
import Testing

@testable import SaverCore
@testable import SaverTestKit

/// Live lists and counts, from the store to their consumers.
struct LiveListTests {
  private let byRank = Query<LiveSample>().sorted(by: \.rank)

  @Test func followsTheStore() throws {
    let store = try LiveSample.store((0..<10).map { LiveSample($0) })
    let consumer = LiveConsumer(store, byRank.limit(5))
    let first = try consumer.next()
    #expect(first.kind == .initial && first.items.map(\.rank) == Array(0..<5) && first.hasMore)
    #expect(first.difference.inserted.count == 5 && first.difference.count == 5)
    #expect(first.token == (try store.read { try $0.token() }))

    try store.write { _ = try $0.delete(LiveSample.self, id: LiveSample(1).id) }
    let second = try consumer.next()
    #expect(second.kind == .change && second.items.map(\.rank) == [0, 2, 3, 4, 5])
    #expect(second.difference.deleted.map(\.index) == [1] && second.difference.inserted.map(\.index) == [4])
    #expect(second.token == (try store.read { try $0.token() }))

    consumer.subscription.loadMore(by: 2)
    #expect(try consumer.next().items.map(\.rank) == [0, 2, 3, 4, 5, 6, 7])
    consumer.subscription.loadMore(by: 1)
    consumer.subscription.loadMore(by: 4)
    while consumer.list.count < 9 { try consumer.next() }
    #expect(consumer.updates.last?.hasMore == false)
    #expect(consumer.subscription.counters.fullFetches == 1)
  }

  /// What does not change the result is not told, and `onChange` comes once until the consumer does.
  @Test func tellsOnce() throws {
    let store = try LiveSample.store((0..<100).map { LiveSample($0) })
    let consumer = LiveConsumer(store, byRank.limit(5))
    try consumer.next()
    try store.write { try $0.insert(LiveSample(200)) }
    try store.write { try $0.update(LiveSample(0)) }
    store.settle()
    #expect(consumer.bell.count == 1)
    #expect(try consumer.take() == nil)

    for rank in -9 ... -1 {
      try store.write { try $0.insert(LiveSample(300 + rank, rank: rank)) }
      store.settle()
    }
    #expect(consumer.bell.count == 2)
    let update = try #require(try consumer.take())
    #expect(update.items.map(\.rank) == [-9, -8, -7, -6, -5])
    #expect(update.difference.inserted.count == 5 && update.difference.deleted.count == 5)
    #expect(try consumer.take() == nil)

    // There and back again: nothing to tell.
    try store.write { try $0.insert(LiveSample(400, rank: -99)) }
    store.settle()
    try store.write { _ = try $0.delete(LiveSample.self, id: LiveSample(400).id) }
    store.settle()
    #expect(try consumer.take() == nil)
  }

  /// A consumer that sleeps over many commits gets one update, and what waits for it does not grow with their number.
  @Test func sleeper() throws {
    let store = try LiveSample.store(
      (0..<300).map { LiveSample($0) }, history: HistoryRetention(changesMax: 500, keepsRows: true))
    let consumer = LiveConsumer(store, byRank)
    try consumer.next()
    weak var chunk: ListChunk?
    for number in 0..<10_000 {
      try store.write { try $0.update(LiveSample(number % 300, text: "\(number)")) }
      if number == 5_000 {
        store.settle()
        // A state in between, which nobody will be shown.
        chunk = consumer.subscription.pendingItems?.spine.chunks.first
        #expect(chunk != nil)
      }
    }
    store.settle()
    #expect(chunk == nil)
    #expect(consumer.bell.count == 2)
    let update = try #require(try consumer.take())
    #expect(update.difference.updated.count == 300 && update.difference.count == 300)
    #expect(try consumer.take() == nil)
    #expect(Array(consumer.list) == (try store.read { try $0.fetch(byRank) }))
  }

  /// Writers on several threads, and consumers that come when they like: each sees whole states, in order, to the last.
  @Test func manyWriters() throws {
    let store = try LiveSample.store()
    let consumers = [byRank, byRank.limit(10), byRank.limit(10).offset(3)].map { LiveConsumer(store, $0) }
    let group = DispatchGroup()
    for thread in 0..<3 {
      group.enter()
      Thread.detachNewThread {
        for number in 0..<200 {
          try? store.write { try $0.save(LiveSample(thread * 1000 + number % 50, text: "\(number)", rank: number)) }
        }
        group.leave()
      }
    }
    while group.wait(timeout: .now()) != .success {
      for consumer in consumers { _ = try consumer.take() }
    }
    store.settle()
    for (consumer, query) in zip(consumers, [byRank, byRank.limit(10), byRank.limit(10).offset(3)]) {
      _ = try consumer.take()
      #expect(Array(consumer.list) == (try store.read { try $0.fetch(query) }))
      #expect(zip(consumer.updates, consumer.updates.dropFirst()).allSatisfy { $0.token.sequence <= $1.token.sequence })
    }
  }

  // MARK: Errors

  /// A damaged row is told once to those whom it concerns, and everything else goes on; mended, it is told as well.
  @Test func damagedRows() throws {
    let store = try LiveSample.store((0..<10).map { LiveSample($0) })
    let consumer = LiveConsumer(store, byRank)
    let other = LiveConsumer(store, Query<LiveSample> { $0.rank >= 5 }.sorted(by: \.rank))
    try consumer.next()
    try other.next()
    try store.write { try LiveWindowTests.damage(3, in: $0) }
    let error = #expect(throws: StorageError.self) { try consumer.next() }
    #expect(error?.code == .damagedRow)
    #expect(try consumer.take() == nil)

    try store.write { try $0.insert(LiveSample(20)) }
    #expect(try other.next().items.last?.rank == 20)
    #expect(try consumer.take() == nil)
    try store.write { try $0.update(LiveSample(3)) }
    let update = try consumer.next()
    #expect(update.difference.inserted.map(\.record.rank) == [20] && update.difference.count == 1)

    // Mended to what it was: the consumer, who shows an error, must hear of it all the same.
    try store.write { try LiveWindowTests.damage(3, in: $0) }
    #expect(throws: StorageError.self) { try consumer.next() }
    try store.write { try $0.update(LiveSample(3)) }
    #expect(try consumer.next().difference.isEmpty)
  }

  /// A query that begins with a damaged row has its first result later.
  @Test func damagedAtFirst() throws {
    let store = try LiveSample.store((0..<10).map { LiveSample($0) })
    try store.write { try LiveWindowTests.damage(3, in: $0) }
    let consumer = LiveConsumer(store, byRank)
    #expect(throws: StorageError.self) { try consumer.next() }
    try store.write { _ = try $0.delete(LiveSample.self, id: LiveSample(3).id) }
    let update = try consumer.next()
    #expect(update.kind == .initial && update.difference.inserted.count == 9)
  }

  @Test func invalidQuery() async throws {
    let store = try LiveSample.store()
    var query = byRank
    query.order = [SortKey(field: "nothing")]
    let consumer = LiveConsumer(store, query)
    let error = #expect(throws: StorageError.self) { try consumer.next() }
    #expect(error?.code == .invalidQuery)
    await #expect(throws: StorageError.self) { try await consumer.subscription.reload() }
    await #expect(throws: StorageError.self) { for try await _ in store.live(query) {} }
    await #expect(throws: StorageError.self) { for try await _ in store.liveCount(query) {} }
  }

  // MARK: Sequences

  @Test(.timeLimit(.minutes(10))) func sequence() async throws {
    let store = try LiveSample.store((0..<3).map { LiveSample($0) })
    var list = RecordList<LiveSample>()
    for try await update in store.live(byRank.limit(40)) {
      list = list.applying(update.difference)
      #expect(list == update.items)
      if list.count == 40 { break }
      let number = list.count
      DispatchQueue.global().async { try? store.write { try $0.insert(LiveSample(number)) } }
    }
    #expect(list.map(\.rank) == Array(0..<40))
    #expect(store.observer.counters.turns > 0)
  }

  @Test(.timeLimit(.minutes(10))) func sections() async throws {
    let store = try LiveSample.store((0..<10).map { LiveSample($0) })
    var sizes: [[Int]] = []
    for try await update in store.live(byRank).sectioned(by: { $0.rank / 4 }) {
      sizes.append(update.sections.map(\.count))
      #expect(update.sections.items == update.list.items)
      if sizes.count == 2 { break }
      #expect(update.difference.insertedSections.map(\.key) == [0, 1, 2])
      DispatchQueue.global().async { try? store.write { try $0.insert(LiveSample(10)) } }
    }
    #expect(sizes == [[4, 4, 2], [4, 4, 3]])
  }

  @Test(.timeLimit(.minutes(10))) func counts() async throws {
    let store = try LiveSample.store((0..<10).map { LiveSample($0) })
    var counts: [Int] = []
    var tokens: [HistoryToken] = []
    for try await update in store.liveCount(Query<LiveSample> { $0.rank < 8 }) {
      counts.append(update.count)
      tokens.append(update.token)
      if counts.count == 3 { break }
      let number = counts.count
      DispatchQueue.global().async {
        try? store.write { try $0.insert(LiveSample(100 + number)) }
        try? store.write { _ = try $0.delete(LiveSample.self, id: LiveSample(number).id) }
      }
    }
    #expect(counts == [8, 7, 6])
    #expect(tokens[0] != tokens[1])
  }

  // MARK: Reloading

  @Test(.timeLimit(.minutes(10))) func reloads() async throws {
    let store = try LiveSample.store((0..<10).map { LiveSample($0) })
    let consumer = LiveConsumer(store, byRank)
    try await consumer.subscription.reload()
    #expect(try consumer.take()?.items.count == 10)
    try await consumer.subscription.reload()
    #expect(try consumer.take() == nil)
    #expect(consumer.subscription.counters.fullFetches == 3)

    try store.write { try LiveWindowTests.damage(3, in: $0) }
    await #expect(throws: StorageError.self) { try await consumer.subscription.reload() }
    consumer.subscription.cancel()
    await #expect(throws: CancellationError.self) { try await consumer.subscription.reload() }
    consumer.subscription.loadMore(by: 3)
    #expect(try consumer.take() == nil)
  }
}

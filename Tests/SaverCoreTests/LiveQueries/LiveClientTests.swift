import Foundation
import SaverMemory
import Testing

@testable import SaverCore
@testable import SaverTestKit

/// What a live query makes of the reports of an observer, and of reading that fails.
struct LiveClientTests {
  private typealias ListClient = LiveClient<LiveWindow<LiveSample>>

  private let byRank = Query<LiveSample>().sorted(by: \.rank)

  private func client(_ query: Query<LiveSample>, _ bell: Bell = Bell()) -> ListClient {
    ListClient(Mailbox { bell.ring() }) { LiveWindow(try LiveCondition(query)) }
  }

  private func begin(_ client: ListClient, _ store: Store) throws {
    try store.read { try client.begin($0, at: try $0.token()) }
    client.publish()
  }

  private func maintain(_ client: ListClient, _ report: ChangeReport, _ store: Store) throws {
    try store.read { try client.maintain(report, $0, at: try $0.token()) }
    client.publish()
  }

  /// A reset is told as one, even if the result is the same; merged with changes it is still one.
  @Test func resets() throws {
    let store = try LiveSample.store((0..<5).map { LiveSample($0) })
    let client = client(byRank)
    try begin(client, store)
    try maintain(client, .reset(.otherBranch), store)
    #expect(try client.mailbox.take()?.kind == .initial)
    try maintain(client, .unknown, store)
    #expect(try client.mailbox.take() == nil)

    try maintain(client, .reset(.otherBranch), store)
    let reset = try #require(try client.mailbox.take())
    #expect(reset.kind == .reset(.otherBranch) && reset.difference.isEmpty && reset.items.count == 5)

    try store.write { try $0.insert(LiveSample(7)) }
    try maintain(client, .reset(.otherStore), store)
    try store.write { try $0.insert(LiveSample(8)) }
    try maintain(client, .unknown, store)
    let merged = try #require(try client.mailbox.take())
    #expect(merged.kind == .reset(.otherStore) && merged.difference.inserted.map(\.record.rank) == [7, 8])
    #expect(merged.token == (try store.read { try $0.token() }))

    // A row that is damaged at that time: the reset is told when the query works again.
    try store.write { try LiveWindowTests.damage(3, in: $0) }
    try maintain(client, .reset(.otherBranch), store)
    #expect(throws: StorageError.self) { try client.mailbox.take() }
    try store.write { try $0.update(LiveSample(3)) }
    try maintain(client, .unknown, store)
    #expect(try client.mailbox.take()?.kind == .reset(.otherBranch))
  }

  /// The token follows the store even when there is nothing to tell.
  @Test func tokens() throws {
    let store = try LiveSample.store((0..<5).map { LiveSample($0) })
    let client = client(byRank.limit(2))
    try begin(client, store)
    try store.write { try $0.insert(LiveSample(9)) }
    try maintain(client, .unknown, store)
    #expect(try client.mailbox.take()?.token == (try store.read { try $0.token() }))
  }

  /// Who waits for a store that cannot be read is told so, and so is who comes later.
  @Test(.timeLimit(.minutes(10))) func unavailable() async throws {
    let bell = Bell()
    let mailbox = client(byRank, bell).mailbox
    let ticket = mailbox.ticket()
    let answer = Task { try await withCheckedThrowingContinuation { mailbox.wait(ticket, $0) } }
    mailbox.setStatus(.unavailable(StorageError(.busy, "not now")))
    await #expect(throws: StorageError.self) { try await answer.value }
    await #expect(throws: StorageError.self) {
      try await withCheckedThrowingContinuation { mailbox.wait(mailbox.ticket(), $0) }
    }
    #expect(bell.count == 1)
    #expect(try mailbox.take() == nil)
    mailbox.setStatus(.live)
    #expect(bell.count == 2)
  }

  /// Reading fails anywhere: the list stays what it was, and the next step brings it to the present.
  @Test func failures() throws {
    var random = RandomGenerator.printed()
    for _ in 0..<40 {
      let store = try LiveSample.store((0..<60).map { LiveSample($0, rank: random.below(40)) })
      let query = random.chance(oneIn: 2) ? byRank : byRank.limit(random.below(20))
      var run = try WindowRun(query, store)
      for _ in 0..<10 {
        try store.write { transaction in
          for _ in 0..<random.pick([1, 3, 12]) {
            let number = random.below(80)
            if random.chance(oneIn: 2) {
              try transaction.delete(LiveSample.self, id: LiveSample(number).id)
            } else {
              try transaction.save(LiveSample(number, rank: random.below(40)))
            }
          }
        }
        let old = run.window.list
        let rows = random.below(12)
        do {
          let (difference, token) = try store.read { transaction in
            let failing = FailingTransaction(transaction.engine, after: rows)
            return (try run.window.maintain(try run.changes(transaction), failing), try transaction.token())
          }
          run.token = token
          try run.check(difference, from: old, "\(rows) rows")
        } catch let error as StorageError where error.code == .busy {
          let isUnchanged = run.window.list == old
          #expect(isUnchanged)
          let (difference, token) = try store.read { (try run.window.fetch($0.engine), try $0.token()) }
          run.token = token
          try run.check(difference, from: old, "after a failure at \(rows) rows")
        }
      }
    }
  }

  /// Random queries, random commits, and a rehearsal in between: nothing is told of it, and what comes after is right.
  @Test func rehearsals() throws {
    var random = RandomGenerator.printed()
    for _ in 0..<8 {
      let store = try MemoryBackend.open(
        StoreLocation(base: "live"), types: [Specimen.schema.type], configuration: MemoryBackend.Configuration())
      var ids: [UUID] = []
      try LiveWindowTests.change(store, &ids, 40, &random)
      let specimens = try store.read { try $0.fetch(Query<Specimen>()) }
      let queries = (0..<8).map { _ in
        var query = RandomQuery().query(Specimen.self, positions: specimens, &random)
        if random.chance(oneIn: 2) { query.filter = .constant(true) }
        return query
      }
      let lists = queries.map { query in
        LiveClient<LiveWindow<Specimen>>(Mailbox {}) { LiveWindow(try LiveCondition(query)) }
      }
      let counts = queries.map { query in
        LiveClient<LiveTally<Specimen>>(Mailbox {}) { LiveTally(try LiveCondition(query)) }
      }
      let clients: [any ObserverClient] = lists + counts
      for client in clients { try store.read { try client.begin($0, at: try $0.token()) } }
      for client in clients { client.publish() }
      for list in lists { _ = try list.mailbox.take() }
      for count in counts { _ = try count.mailbox.take() }
      var token = try store.read { try $0.token() }
      for _ in 0..<15 {
        try LiveWindowTests.change(store, &ids, random.pick([1, 1, 2, 8]), &random)
        try store.read { transaction in
          let set = try changes(after: token.sequence, transaction)
          token = try transaction.token()
          for client in clients { try client.maintain(.changes(set), transaction, at: token) }
        }
        for client in clients { client.publish() }
        for (list, query) in zip(lists, queries) {
          let fetched = try store.read { try $0.fetch(query) }
          if let update = try list.mailbox.take() { #expect(Array(update.items) == fetched, "\(query)") }
        }
        for (count, query) in zip(counts, queries) {
          let counted = try store.read { try $0.count(query) }
          if let update = try count.mailbox.take() { #expect(update.count == counted, "\(query)") }
        }
        try store.read { transaction in
          let newest = try changes(after: token.sequence - Int64(random.below(3)), transaction)
          for client in clients { client.rehearse(newest, transaction) }
        }
        for client in clients { client.publish() }
        for list in lists { #expect(try list.mailbox.take() == nil) }
        for count in counts { #expect(try count.mailbox.take() == nil) }
      }
    }
  }

  private func changes(after sequence: Int64, _ transaction: borrowing ReadTransaction) throws -> ChangeSet {
    var set = ChangeSet()
    try transaction.engine.changes(after: sequence) { change, row in
      set.note(change, row)
      return true
    }
    return set
  }

  /// Random queries, random commits: the number that was kept up to date is the number that is counted.
  @Test(arguments: [true, false])
  func countsEqualFreshOnes(keepsRows: Bool) throws {
    var random = RandomGenerator.printed()
    for _ in 0..<8 {
      let store = try MemoryBackend.open(
        StoreLocation(base: "live", history: HistoryRetention(keepsRows: keepsRows)), types: [Specimen.schema.type],
        configuration: MemoryBackend.Configuration())
      var ids: [UUID] = []
      try LiveWindowTests.change(store, &ids, 40, &random)
      let specimens = try store.read { try $0.fetch(Query<Specimen>()) }
      let queries = (0..<12).map { _ in RandomQuery().query(Specimen.self, positions: specimens, &random) }
      var tallies = try queries.map { LiveTally(try LiveCondition($0)) }
      for index in tallies.indices { try store.read { try tallies[index].countAll($0.engine) } }
      var token = try store.read { try $0.token() }
      for _ in 0..<25 {
        try LiveWindowTests.change(store, &ids, random.pick([1, 1, 2, 8]), &random)
        try store.read { transaction in
          var set = ChangeSet()
          try transaction.engine.changes(after: token.sequence) { change, row in
            set.note(change, row)
            return true
          }
          token = try transaction.token()
          for (index, query) in queries.enumerated() {
            try tallies[index].maintain(set, transaction.engine)
            #expect(tallies[index].count == (try transaction.count(query)), "\(query)")
          }
        }
      }
      if keepsRows { #expect(tallies.allSatisfy { $0.counters.fullFetches == 1 }) }
    }
  }
}

import Foundation
import SaverMemory
import Testing

@testable import SaverCore
@testable import SaverTestKit

/// The result of a query that is kept up to date is the result of the query.
struct LiveWindowTests {
  /// Random queries, random commits: after each, the maintained list equals a fresh fetch, and the difference is exact.
  @Test(arguments: [true, false])
  func equalsAFreshFetch(keepsRows: Bool) throws {
    var random = RandomGenerator.printed()
    for round in 0..<12 {
      let store = try MemoryBackend.open(
        StoreLocation(base: "live", history: HistoryRetention(keepsRows: keepsRows)), types: [Specimen.schema.type],
        configuration: MemoryBackend.Configuration())
      var ids: [UUID] = []
      try Self.change(store, &ids, 40, &random)
      let specimens = try store.read { try $0.fetch(Query<Specimen>()) }
      var runs = try (0..<10).map { _ in
        var query = RandomQuery().query(Specimen.self, positions: specimens, &random)
        // Most random conditions find next to nothing.
        if random.chance(oneIn: 2) { query.filter = .constant(true) }
        if random.chance(oneIn: 3) { query.limit = random.below(30) }
        return try WindowRun(query, store)
      }
      for step in 0..<25 {
        try Self.change(store, &ids, random.pick([1, 1, 1, 2, 3, 8, 30]), &random)
        for index in runs.indices where !random.chance(oneIn: 5) {
          let old = runs[index].window.list
          let difference = try runs[index].step()
          try runs[index].check(difference, from: old, "round \(round), step \(step)")
          if random.chance(oneIn: 15), let limit = runs[index].query.limit,
            let first = runs[index].window.condition.query.limit
          {
            let more = random.below(6)
            runs[index].query.limit = limit + more
            // Only what was committed before the last step is in the window: nothing was since.
            let old = runs[index].window.list
            let difference = try store.read { try runs[index].window.extend(by: limit + more - first, $0.engine) }
            try runs[index].check(difference, from: old, "round \(round), step \(step), \(more) more")
          }
        }
      }
    }
  }

  /// Writes `count` random changes in one transaction.
  static func change(_ store: Store, _ ids: inout [UUID], _ count: Int, _ random: inout RandomGenerator) throws {
    var (known, generator) = (ids, random)
    try store.write { transaction in
      for _ in 0..<count {
        switch generator.below(5) {
        case 0 where known.count < 80, 1 where known.count < 80:
          let specimen = SpecimenWorld.specimen(&generator)
          known.append(specimen.id)
          try transaction.insert(specimen)
        case 2 where !known.isEmpty:
          let id = known.remove(at: generator.below(known.count))
          try transaction.delete(Specimen.self, id: id)
          if generator.chance(oneIn: 4) {
            try transaction.insert(SpecimenWorld.specimen(id: id, &generator))
            known.append(id)
          }
        case 3 where !known.isEmpty:
          // Written as it was.
          if let same = try transaction.record(Specimen.self, id: generator.pick(known)) {
            try transaction.update(same)
          }
        default:
          if known.isEmpty { continue }
          try transaction.update(SpecimenWorld.specimen(id: generator.pick(known), &generator))
        }
      }
    }
    (ids, random) = (known, generator)
  }

  /// Many changes at once are fetched and compared, and come to the same.
  @Test func bulkChanges() throws {
    var random = RandomGenerator.printed()
    let store = try LiveSample.store((0..<3000).map { LiveSample($0) })
    var window = LiveWindow(try LiveCondition(Query<LiveSample>().sorted(by: \.text).sorted(by: \.due)))
    var token = try store.read { transaction in
      _ = try window.fetch(transaction.engine)
      return try transaction.token()
    }
    let most = window.cost.changesMax
    #expect(most == 3000 / FetchCost.rowsPerChange)
    for count in [1, 100, most - 1, most, most + 1, 2500] {
      let old = window.list
      let before = window.counters
      let numbers = (0..<3000).shuffled(using: &random).prefix(count)
      try store.write { transaction in
        for number in numbers {
          let due = random.chance(oneIn: 2) ? nil : Date(timeIntervalSince1970: Double(random.below(50)))
          try transaction.save(LiveSample(number, text: random.pick(["a", "b", "c"]), rank: random.below(9), due: due))
        }
      }
      let difference = try store.read { transaction in
        var set = ChangeSet()
        try transaction.engine.changes(after: token.sequence) {
          set.note($0, $1)
          return true
        }
        token = try transaction.token()
        return try window.maintain(set, transaction.engine)
      }
      #expect(Array(window.list) == (try store.read { try $0.fetch(window.condition.query) }))
      #expect(Array(old.applying(difference)) == Array(window.list))
      #expect(window.counters.fullFetches - before.fullFetches == (count > most ? 1 : 0))
    }
  }

  /// A window of 50 over many rows looks at the rows that have changed, and now and then fetches a few more.
  @Test func readsOnlyWhatHasChanged() throws {
    let store = try LiveSample.store((0..<20_000).map { LiveSample($0 * 2) })
    var run = try WindowRun(Query<LiveSample>().sorted(by: \.rank, descending: true).limit(50), store)
    #expect(run.window.counters == LiveQueryCounters(fullFetches: 1, rowsFetched: 62))

    // Outside the window, at its head, within it, and taken out of it.
    try run.write { try $0.insert(LiveSample(31)) }
    #expect(try run.rowsOfStep() == 1)
    try run.write { try $0.insert(LiveSample(39_999)) }
    #expect(try run.rowsOfStep() == 1)
    try run.write { try $0.update(LiveSample(39_990, text: "changed")) }
    #expect(try run.rowsOfStep() == 1)
    try run.write { try $0.delete(LiveSample.self, id: LiveSample(39_980).id) }
    #expect(try run.rowsOfStep() == 1)
    #expect(run.window.counters.refills == 0 && run.window.counters.fullFetches == 1)

    // The window moves down through the rows: a refill each time that the reserve is used up.
    let before = run.window.counters
    for number in 0..<30 {
      let id = run.window.list[number % 50].id
      try run.write { try $0.delete(LiveSample.self, id: id) }
      try run.step()
    }
    let after = run.window.counters
    try run.check(ListDifference(), from: run.window.list, "after all")
    #expect(after.fullFetches == 1)
    #expect(after.refills - before.refills <= 30 / 12 + 1)
    #expect(after.rowsFetched - before.rowsFetched <= 30 + 30 + 24)
  }

  /// Whoever asks for more than any list can have gets all there is.
  @Test(arguments: [Int.max, Int.max - 10, 1 << 40])
  func moreThanThereIs(more: Int) throws {
    let store = try LiveSample.store((0..<40).map { LiveSample($0) })
    var run = try WindowRun(Query<LiveSample>().sorted(by: \.rank).limit(10), store)
    let old = run.window.list
    run.query.limit = nil
    let difference = try store.read { try run.window.extend(by: more, $0.engine) }
    try run.check(difference, from: old, "\(more) more")
    try run.write { try $0.insert(LiveSample(40)) }
    try run.stepAndCheck("after \(more) more")
  }

  /// A damaged row is an error where a fetch would meet it, and nowhere else; when it is mended, the list goes on.
  @Test func damagedRows() throws {
    let store = try LiveSample.store((0..<40).map { LiveSample($0) })
    var run = try WindowRun(Query<LiveSample>().sorted(by: \.rank).limit(10), store)
    try run.write { try Self.damage(20, in: $0) }
    try run.stepAndCheck()
    // It moves up to the reserve, where it is not asked for.
    for number in 0..<10 {
      try run.write { try $0.delete(LiveSample.self, id: LiveSample(number).id) }
      try run.stepAndCheck()
    }
    #expect(run.window.list.last?.rank == 19 && run.window.hasMore)
    // And into the window.
    try run.write { try $0.delete(LiveSample.self, id: LiveSample(10).id) }
    let error = #expect(throws: StorageError.self) { try run.stepAndCheck() }
    #expect(error?.code == .damagedRow)
    #expect(run.window.list.last?.rank == 19)
    try run.write { try $0.delete(LiveSample.self, id: LiveSample(20).id) }
    try run.stepAndCheck()
    #expect(run.window.list.last?.rank == 21)
  }

  /// Replaces a sample's text by bytes that are no text, as another program might.
  static func damage(_ number: Int, in transaction: borrowing WriteTransaction) throws {
    _ = try transaction.writer.update(LiveSample.schema.type) { row in
      LiveSample.schema.encode(LiveSample(number), &row)
      row.slots[1] = .integer(5)
    }
  }
}

import FoundationEssentials
public import SaverCore

/// Random searches over a store that is large enough for an engine to choose between ways, and to change its way in the
/// middle; between them, random updates in transactions that search, too. Compared with a reference that is simple enough
/// to be right.
///
/// The seed repeats a run exactly; a failure names it.
public struct SearchModelTest: Sendable {
  public var seed: UInt64
  /// How many records there are: an engine that tries one way first tries it for a few hundred.
  public var records: Int
  public var searches: Int

  public init(seed: UInt64, records: Int, searches: Int) {
    self.seed = seed
    self.records = records
    self.searches = searches
  }

  /// What the reference must be opened with.
  public static var recordTypes: [RecordType] { [Note.recordType] }

  /// - Parameter reference: an empty store.
  /// - Throws: ``ConformanceFailure`` with the seed, and the number of the search.
  public func run(on subject: ConformanceSubject, reference: Store) throws {
    try TemporaryFolder.with { folder in
      let store = try subject.open(StoreLocation(base: "\(folder)/search"), Self.recordTypes)
      var run = SearchRun(store: store, reference: reference, seed: seed)
      var search = 0
      do {
        try run.fill(records)
        while search < searches {
          search += 1
          if search % 3 == 0 { try run.change() }
          try run.search()
        }
        try run.compareHistory()
        if let problem = try store.inspect(checkingIntegrity: true).problems.first {
          throw SearchRun.Difference(description: "an inspection found: \(problem)")
        }
      } catch {
        throw ConformanceFailure(
          check: "search.model", message: "seed \(seed), search \(search), on \(subject.name): \(error)")
      }
    }
  }
}

/// The two stores of a test, and where its random numbers are.
private struct SearchRun {
  struct Difference: Error, CustomStringConvertible {
    var description: String
  }

  private let store: Store
  private let reference: Store
  private var random: RandomGenerator
  private let world = SearchWorld()
  private var notes: [Note] = []

  init(store: Store, reference: Store, seed: UInt64) {
    self.store = store
    self.reference = reference
    random = RandomGenerator(seed: seed)
  }

  mutating func fill(_ count: Int) throws {
    notes = (0..<count).map { _ in world.note(&random, among: count) }
    for store in [store, reference] {
      try store.write { transaction in
        for note in notes { try transaction.insert(note) }
      }
    }
  }

  // MARK: Searching

  /// One search, and several windows of its result.
  mutating func search() throws {
    let query = Query<Note>(filter: world.filter(&random))
    var sorted = query
    sorted.order = world.order(&random)
    let wanted = try reference.read { try $0.fetch(sorted) }
    try compare(sorted, wanted)
    for _ in 0..<5 { try compareWindow(of: sorted, wanted) }
    try searchWithinASearch(sorted, wanted)
  }

  private mutating func compareWindow(of query: Query<Note>, _ whole: [Note]) throws {
    var query = query
    var wanted = whole[...]
    if random.chance(oneIn: 2), !whole.isEmpty {
      let place = random.chance(oneIn: 2) ? random.below(min(whole.count, 5)) : random.below(whole.count)
      query = query.after(whole[place])
      wanted = whole[(place + 1)...]
    } else if random.chance(oneIn: 4) {
      // Most of these are none of the results.
      query = query.after(random.pick(notes))
      wanted = try reference.read { try $0.fetch(query) }[...]
    }
    if random.chance(oneIn: 3) {
      let offset = [1, 7, 40, wanted.count, wanted.count + 1, .max][random.below(6)]
      query = query.offset(offset)
      wanted = wanted.dropFirst(offset)
    }
    if !random.chance(oneIn: 4) {
      let limit = [0, 1, 2, 10, 50, wanted.count, wanted.count + 1, .max][random.below(8)]
      query = query.limit(limit)
      wanted = wanted.prefix(limit)
    }
    try compare(query, Array(wanted))
  }

  private func compare(_ query: Query<Note>, _ wanted: [Note]) throws {
    let (found, count) = try store.read { (try $0.fetch(query), try $0.count(query)) }
    if let difference = RecordDifference.describe(found, wanted) {
      throw Difference(description: "\(query): \(difference)")
    }
    guard count == wanted.count else {
      throw Difference(description: "the count of \(query): \(count), wanted \(wanted.count)")
    }
  }

  /// The same search is asked for while it is under way, and both are left early.
  private mutating func searchWithinASearch(_ query: Query<Note>, _ wanted: [Note]) throws {
    struct Stop: Error {}
    let last = random.below(wanted.count + 1)
    let inner = query.limit(1 + random.below(20)).offset(random.below(3))
    let isThrown = random.chance(oneIn: 2)
    var found: [Note] = []
    do {
      try store.read { transaction in
        try transaction.forEach(query) { note in
          found.append(note)
          if found.count % 97 == 1 {
            let within = try transaction.fetch(inner)
            let wanted = Array(wanted.dropFirst(inner.offset).prefix(inner.limit ?? .max))
            if let difference = RecordDifference.describe(within, wanted) {
              throw Difference(description: "\(inner) within a search: \(difference)")
            }
          }
          if found.count == last, isThrown { throw Stop() }
          return found.count != last
        }
      }
    } catch is Stop {}
    if let difference = RecordDifference.describe(found, last == 0 ? wanted : Array(wanted.prefix(last))) {
      throw Difference(description: "\(query), left at \(last): \(difference)")
    }
  }

  // MARK: Changing

  /// A transaction that updates records, some of them more than once, and searches among what it has not committed yet.
  mutating func change() throws {
    var changed = notes
    var steps: [(index: Int, note: Note)] = []
    var lately = 0
    for _ in 0..<1 + random.below(40) {
      lately = random.chance(oneIn: 3) ? lately : random.below(changed.count)
      changed[lately] = world.changed(changed[lately], &random, among: changed.count)
      steps.append((lately, changed[lately]))
    }
    var query = Query<Note>(filter: world.filter(&random))
    query.order = world.order(&random)
    query.limit = random.chance(oneIn: 2) ? nil : 30
    let isTakenBack = random.chance(oneIn: 5)
    let (found, wanted) = (
      try apply(steps, to: store, searching: query, isTakenBack: isTakenBack),
      try apply(steps, to: reference, searching: query, isTakenBack: isTakenBack)
    )
    if let difference = RecordDifference.describe(found, wanted) {
      throw Difference(description: "\(query) behind updates: \(difference)")
    }
    if !isTakenBack { notes = changed }
  }

  private func apply(
    _ steps: [(index: Int, note: Note)], to store: Store, searching query: Query<Note>, isTakenBack: Bool
  ) throws -> [Note] {
    struct Interruption: Error {}
    var found: [Note] = []
    do {
      try store.write { transaction in
        for (number, step) in steps.enumerated() {
          if try !transaction.update(step.note) { throw Difference(description: "an update found no record") }
          if number == steps.count / 2 { found += try transaction.fetch(query) }
        }
        found += try transaction.fetch(query)
        if isTakenBack { throw Interruption() }
      }
    } catch is Interruption {}
    return found
  }

  /// Each change is in the history once, with the row that was there before.
  func compareHistory() throws {
    let (found, wanted) = (try store.read { try $0.logged() }, try reference.read { try $0.logged() })
    guard found.map(\.event) == wanted.map(\.event) else {
      throw Difference(description: "the history has \(found.count) changes, wanted \(wanted.count), or others")
    }
    for (found, wanted) in zip(found, wanted) {
      guard found.row?.count == wanted.row?.count,
        zip(found.row ?? [], wanted.row ?? []).allSatisfy({ $0.isIdentical(to: $1) })
      else {
        let rows = "\(String(describing: found.row)), wanted \(String(describing: wanted.row))"
        throw Difference(description: "the row before \(found.event) is \(rows)")
      }
    }
  }
}

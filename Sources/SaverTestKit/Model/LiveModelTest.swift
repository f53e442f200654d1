import FoundationEssentials
import SaverCore

/// Live queries of every shape over random transactions: after each one they show what the oracle computes, and what a
/// fetch gives; each publication leads from one state to the next.
///
/// The seed repeats the operations exactly, not when they are seen; a failure names it.
public struct LiveModelTest: Sendable {
  public var seed: UInt64
  public var steps: Int

  public init(seed: UInt64, steps: Int) {
    self.seed = seed
    self.steps = steps
  }

  /// - Throws: ``ConformanceFailure`` with the seed and the step.
  public func run(on subject: ConformanceSubject) throws {
    try TemporaryFolder.with { folder in
      let store = try subject.open(StoreLocation(base: "\(folder)/live"), Trial.world)
      var run = LiveModelRun(store: store, seed: seed)
      var step = 0
      do {
        try run.begin()
        while step < steps {
          step += 1
          try run.step()
        }
      } catch {
        throw ConformanceFailure(
          check: "live.model", message: "seed \(seed), step \(step), on \(subject.name): \(error)")
      }
    }
  }
}

/// The store of a test, what it must hold, and who watches it.
private struct LiveModelRun {
  let store: Store
  private var random: RandomGenerator
  private let queries = RandomQuery()
  private var specimens: [UUID: Specimen] = [:]
  private var plain: [LiveProbe<Specimen>] = []
  private var indexed: [LiveProbe<IndexedSpecimen>] = []

  init(store: Store, seed: UInt64) {
    self.store = store
    random = RandomGenerator(seed: seed)
  }

  mutating func begin() throws {
    for _ in 0..<3 { try step() }
    for _ in 0..<8 {
      watchPlain()
      watchIndexed()
    }
    try compare()
  }

  private mutating func watchPlain() {
    plain.append(LiveProbe(store, queries.query(Specimen.self, positions: Array(specimens.values), &random)))
  }

  private mutating func watchIndexed() {
    let positions = specimens.values.map(IndexedSpecimen.init)
    indexed.append(LiveProbe(store, queries.query(IndexedSpecimen.self, positions: positions, &random)))
  }

  /// One transaction, then most often a look; now and then other queries, or larger windows.
  mutating func step() throws {
    try write()
    if random.chance(oneIn: 4), !plain.isEmpty {
      plain.remove(at: random.below(plain.count))
      watchPlain()
      indexed.remove(at: random.below(indexed.count))
      watchIndexed()
    }
    if random.chance(oneIn: 4) {
      for probe in plain where probe.query.limit != nil { probe.loadMore(by: random.below(4)) }
      for probe in indexed where probe.query.limit != nil { probe.loadMore(by: random.below(4)) }
    }
    if !random.chance(oneIn: 4) { try compare() }
  }

  private mutating func write() throws {
    // The order of a dictionary is another at each run.
    var ids = specimens.keys.sorted { $0.hexadecimal < $1.hexadecimal }
    var changed = specimens
    let operations = random.chance(oneIn: 8) ? 40 : 1 + random.below(5)
    let isTakenBack = random.chance(oneIn: 10)
    struct Interruption: Error {}
    do {
      try store.write { transaction in
        for _ in 0..<operations {
          switch random.below(specimens.count > 60 ? 8 : 5) {
          case 0, 1:
            let specimen = SpecimenWorld.specimen(&random)
            changed[specimen.id] = specimen
            ids.append(specimen.id)
            try transaction.insert(specimen)
            try transaction.insert(IndexedSpecimen(specimen))
          case 2, 3:
            guard !ids.isEmpty else { continue }
            let specimen = SpecimenWorld.specimen(id: random.pick(ids), &random)
            changed[specimen.id] = specimen
            try transaction.update(specimen)
            try transaction.update(IndexedSpecimen(specimen))
          default:
            guard !ids.isEmpty else { continue }
            let id = ids.remove(at: random.below(ids.count))
            changed[id] = nil
            try transaction.delete(Specimen.self, id: id)
            try transaction.delete(IndexedSpecimen.self, id: id)
          }
        }
        if isTakenBack { throw Interruption() }
      }
      specimens = changed
    } catch is Interruption {}
  }

  private func compare() throws {
    let specimens = Array(specimens.values)
    try compare(plain, specimens)
    try compare(indexed, specimens.map(IndexedSpecimen.init))
  }

  private func compare<R: TransparentRecord>(_ probes: [LiveProbe<R>], _ records: [R]) throws {
    for probe in probes {
      try probe.settle()
      let wanted = QueryOracle.results(of: probe.current, in: records)
      if let difference = RecordDifference.describe(probe.list, wanted) {
        throw LiveProbe<R>.Broken(description: "\(probe.query) shows something else than the oracle: \(difference)")
      }
    }
  }
}

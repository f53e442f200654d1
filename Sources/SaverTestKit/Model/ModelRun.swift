import FoundationEssentials
import SaverCore

/// The two stores of a model test, what was done to them, and where its random numbers are.
struct ModelRun {
  private struct Interruption: Error {}
  private struct Difference: Error, CustomStringConvertible {
    var description: String
  }

  /// `nil` only between closing and opening.
  private var store: Store?
  private let reference: Store
  private let queries = RandomQuery()
  var random: RandomGenerator
  /// What was done, in words, for a failure's message.
  private(set) var operations: [String] = []

  init(store: Store, reference: Store, seed: UInt64) {
    self.store = store
    self.reference = reference
    random = RandomGenerator(seed: seed)
  }

  /// One operation on records of a type: done on both, and compared.
  mutating func step<R: TransparentRecord>(_: R.Type, _ make: (Specimen) -> R) throws {
    let ids = try reference.read { try $0.ids(Query<R>()) }
    switch random.below(13) {
    case 0...3 where ids.count < 60: try insert(make(SpecimenWorld.specimen(&random)))
    case 4, 5: try update(make(SpecimenWorld.specimen(id: someID(ids), &random)))
    case 6: try save(make(SpecimenWorld.specimen(id: someID(ids), &random)))
    case 7: try delete(R.self, someID(ids))
    case 8: try delete(try query(R.self))
    case 9, 10: try several(make, ids)
    default: try ask(try query(R.self))
    }
    try ask(try query(R.self))
  }

  /// An id that is there, or, now and then, one that is not.
  private mutating func someID(_ ids: [UUID]) -> UUID {
    ids.isEmpty || random.chance(oneIn: 6) ? SpecimenWorld.randomID(&random) : random.pick(ids)
  }

  private mutating func query<R: TransparentRecord>(_: R.Type) throws -> Query<R> {
    queries.query(R.self, positions: try reference.read { try $0.fetch(Query<R>().limit(20)) }, &random)
  }

  private mutating func onBoth<Result: Equatable>(
    _ operation: String, _ body: (Store) throws -> Result
  ) throws {
    operations.append(operation)
    guard let store else { return }
    func outcome(of store: Store) throws -> String {
      do { return "\(try body(store))" } catch let error as StorageError { return error.code.rawValue }
    }
    let (found, wanted) = (try outcome(of: store), try outcome(of: reference))
    guard found == wanted else { throw Difference(description: "\(operation): \(found), wanted \(wanted)") }
  }

  private mutating func insert<R: TransparentRecord>(_ record: R) throws {
    try onBoth("insert \(R.recordType.name) \(record.id.hexadecimal)") { store in
      try store.write { try $0.insert(record) }
      return true
    }
  }

  private mutating func update<R: TransparentRecord>(_ record: R) throws {
    try onBoth("update \(R.recordType.name) \(record.id.hexadecimal)") { store in
      try store.write { try $0.update(record) }
    }
  }

  private mutating func save<R: TransparentRecord>(_ record: R) throws {
    try onBoth("save \(R.recordType.name) \(record.id.hexadecimal)") { store in
      try store.write { try $0.save(record) }
      return true
    }
  }

  private mutating func delete<R: TransparentRecord>(_: R.Type, _ id: UUID) throws {
    try onBoth("delete \(R.recordType.name) \(id.hexadecimal)") { store in
      try store.write { try $0.delete(R.self, id: id) }
    }
  }

  private mutating func delete<R: TransparentRecord>(_ query: Query<R>) throws {
    // Most random conditions hold for much: the store would never grow.
    let query = random.chance(oneIn: 4) ? query : query.limit(min(query.limit ?? 3, 3))
    try onBoth("delete \(query)") { store in try store.write { try $0.delete(query) } }
  }

  /// A transaction of several operations that asks in between, and that is taken back every other time.
  private mutating func several<R: TransparentRecord>(_ make: (Specimen) -> R, _ ids: [UUID]) throws {
    let inserted = (0..<random.below(4)).map { _ in make(SpecimenWorld.specimen(&random)) }
    let updated = (0..<random.below(4)).map { _ in make(SpecimenWorld.specimen(id: someID(ids), &random)) }
    let deleted = (0..<random.below(3)).map { _ in someID(ids) }
    let query = try query(R.self)
    let isTakenBack = random.chance(oneIn: 2)
    try onBoth("several, asked \(query), taken back: \(isTakenBack)") { store -> [String] in
      var seen: [String] = []
      do {
        try store.write { transaction in
          for record in inserted { try transaction.insert(record) }
          seen.append("\(try transaction.ids(query))")
          for record in updated { seen.append("\(try transaction.update(record))") }
          seen.append("\(try transaction.ids(query)) \(try transaction.count(query))")
          for id in deleted { seen.append("\(try transaction.delete(R.self, id: id))") }
          seen.append("\(try transaction.ids(query))")
          if isTakenBack { throw Interruption() }
        }
      } catch is Interruption {
        seen.append("taken back")
      }
      return seen
    }
  }

  private mutating func ask<R: TransparentRecord>(_ query: Query<R>) throws {
    operations.append("ask \(query)")
    guard let store else { return }
    let (found, count) = try store.read { (try $0.fetch(query), try $0.count(query)) }
    let (wanted, wantedCount) = try reference.read { (try $0.fetch(query), try $0.count(query)) }
    if let difference = RecordDifference.describe(found, wanted) {
      throw Difference(description: "\(query): \(difference)")
    }
    guard count == wantedCount else {
      throw Difference(description: "the count of \(query): \(count), wanted \(wantedCount)")
    }
  }

  /// Closes the store and opens it again.
  mutating func reopen(_ open: () throws -> Store) throws {
    operations.append("reopen")
    let identity = store?.identity
    store = nil
    let again = try open()
    guard again.identity == identity else { throw Difference(description: "another identity after reopening") }
    store = again
    try compareEverything()
  }

  mutating func compareEverything() throws {
    try ask(Query<Specimen>())
    try ask(Query<IndexedSpecimen>())
    let problems = try store?.inspect(checkingIntegrity: true).problems ?? []
    if let problem = problems.first { throw Difference(description: "an inspection found: \(problem)") }
  }
}

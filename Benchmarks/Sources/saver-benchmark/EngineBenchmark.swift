import CFloor
import FoundationEssentials
import SaverCore
import SaverKit

/// All works on one engine.
struct EngineBenchmark {
  let engine: BenchmarkEngine
  let data: BenchmarkData
  /// How many of the items are stored; the rest are for single commits.
  let rows: Int
  /// A folder of the benchmark's own.
  let folder: String
  let report: Report

  static let commitRounds = 10
  static let commitsPerRound = 50
  private static let insertRounds = 3
  private static let readRounds = 10
  /// A short work is repeated within a round, for the clock's sake.
  private static let repetitions = 100
  private static let window = 50

  /// - Throws: what a store or a floor throws, and ``Difference`` if they do not hold the same.
  func run() throws {
    let (floor, store) = try insertInBulk()
    try compare(floor, store)
    try fetchAll(floor, store)
    try fetchNewest(floor, store)
    try search(floor, store)
    try commitSingly(floor, store)
  }

  // MARK: Writing

  /// Fills fresh stores each round; the last two are those that are read.
  private func insertInBulk() throws -> (floor: any Floor, store: Store) {
    var sides = try freshSides()
    for (name, access) in engine.accesses {
      var times = Times()
      for _ in 0..<Self.insertRounds {
        sides = try freshSides()
        times.merge(try insertOnce(sides.floor, access, sides.store))
      }
      report.throughput("insert \(rows), one transaction" + name, engine, times, count: rows)
    }
    return sides
  }

  private func insertOnce(_ floor: any Floor, _ access: floor_access, _ store: Store) throws -> Times {
    let floorItems = UnsafeBufferPointer(rebasing: data.floorItems.items[..<rows])
    let items = data.items[..<rows]
    return try contest(rounds: 1) { _ in
      try floor.insert(floorItems, access)
    } ours: { _ in
      try store.write { transaction in
        for item in items { try transaction.insert(item) }
      }
    }
  }

  /// In a folder of their own; those before are removed when the benchmark ends.
  private func freshSides() throws -> (floor: any Floor, store: Store) {
    let fresh = "\(folder)/\(UUID().uuidString)"
    return (try engine.makeFloor(fresh + "/floor"), try engine.openStore(fresh + "/ours"))
  }

  private func commitSingly(_ floor: any Floor, _ store: Store) throws {
    let count = Self.commitsPerRound
    let times = try contest(rounds: Self.commitRounds, clock: .wall) { round in
      for index in rows + round * count..<rows + (round + 1) * count {
        try floor.insert(UnsafeBufferPointer(rebasing: data.floorItems.items[index...index]), floor_by_cursor)
      }
    } ours: { round in
      for index in rows + round * count..<rows + (round + 1) * count {
        try store.write { try $0.insert(data.items[index]) }
      }
    }
    report.throughput("durable commits of one item (wall time)", engine, times, count: count)
  }

  // MARK: Reading

  private func fetchAll(_ floor: any Floor, _ store: Store) throws {
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true)
    for (name, access) in engine.accesses {
      let times = try contest(rounds: Self.readRounds) { _ in
        try floor.newest(-1, access)
      } ours: { _ in
        try store.read { try $0.fetch(query) }
      }
      report.throughput("fetch all, newest first" + name, engine, times, count: rows)
    }
  }

  private func fetchNewest(_ floor: any Floor, _ store: Store) throws {
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true).limit(Self.window)
    for (name, access) in engine.accesses {
      let times = try contest(rounds: Self.readRounds) { _ in
        for _ in 0..<Self.repetitions { _ = try floor.newest(Self.window, access) }
      } ours: { _ in
        for _ in 0..<Self.repetitions { _ = try store.read { try $0.fetch(query) } }
      }
      report.latency("newest \(Self.window)" + name, engine, times, count: Self.repetitions)
    }
  }

  private func search(_ floor: any Floor, _ store: Store) throws {
    var selection = SavedItemSelection()
    selection.search = BenchmarkData.word
    let query = selection.query
    let times = try contest(rounds: Self.readRounds) { _ in
      try floor.search(BenchmarkData.word)
    } ours: { _ in
      try store.read { try $0.fetch(query) }
    }
    report.latency("search a word in \(rows) (floor: memmem)", engine, times)
    let found = try floor.search(BenchmarkData.word)
    try Difference.find(found, try store.read { try $0.fetch(query) })
  }

  /// Both sides hold the same rows, and read them alike.
  private func compare(_ floor: any Floor, _ store: Store) throws {
    let query = Query<SavedItem>().sorted(by: \.createdAt, descending: true)
    let items = try store.read { try $0.fetch(query) }
    guard items.count == rows else { throw Difference(place: items.count, reason: "rows are missing") }
    for (_, access) in engine.accesses { try Difference.find(try floor.newest(-1, access), items) }
  }
}

import CFloor
import FoundationEssentials
import SaverCore
import SaverKit

/// All ways of reading a store, beside C. The items are those of ``BenchmarkData``, the first `rows`.
struct ReadingWorks {
  let pair: StorePair
  let rows: Int
  let rounds: Int
  let attempts: Int
  /// What is done with each finding.
  let add: (Finding) -> Void

  private static let window = 50
  private static let rangeRows = 500
  /// A short work is repeated within a round, for the clock's sake.
  private static let repetitions = 100

  private var engine: BenchmarkEngine { pair.engine }
  private var store: Store { pair.store }
  private var newestFirst: Query<SavedItem> { Query<SavedItem>().sorted(by: \.createdAt, descending: true) }

  func run() throws {
    try fetchAll()
    try fetchNewest()
    try lookUp()
    try fetchRange()
    try filter()
    try search()
    try count()
  }

  private func fetchAll() throws {
    for (name, access) in engine.accesses {
      let times = try contest(rounds: rounds, attempts: attempts) { _ in
        try pair.floor.newest(-1, access)
      } ours: { _ in
        try store.read { try $0.fetch(newestFirst) }
      }
      let target = engine.isUsualFloor(access) ? 0.8 : 0.5
      add(
        .speed("fetch all, newest first", engine, items: rows, times, count: rows, floor: name, target: target))
    }
  }

  private func fetchNewest() throws {
    let query = newestFirst.limit(Self.window)
    for (name, access) in engine.accesses {
      let times = try repeated { _ in
        _ = try pair.floor.newest(Self.window, access)
      } ours: { _ in
        _ = try store.read { try $0.fetch(query) }
      }
      add(
        .latency(
          "newest \(Self.window)", engine, items: rows, times, count: Self.repetitions, floor: name,
          target: engine.isUsualFloor(access) ? .speed(1 / 1.5) : nil))
    }
  }

  /// Each in a transaction of its own, all over the store.
  private func lookUp() throws {
    let ids = (0..<Self.repetitions).map { BenchmarkData.id($0 * (rows / Self.repetitions)) }
    let times = try repeated { number in
      _ = try pair.floor.lookup(ids[number])
    } ours: { number in
      _ = try store.read { try $0.record(SavedItem.self, id: ids[number]) }
    }
    add(.latency("one item by its id", engine, items: rows, times, count: Self.repetitions))
  }

  private var middle: Range<Date> {
    BenchmarkData.date(rows / 2)..<BenchmarkData.date(rows / 2 + Self.rangeRows)
  }

  private func fetchRange() throws {
    let middle = middle
    let (from, until) = (middle.lowerBound, middle.upperBound)
    let query = Query<SavedItem> { $0.createdAt >= from && $0.createdAt < until }
      .sorted(by: \.createdAt, descending: true)
    let times = try repeated { _ in
      _ = try pair.floor.range(middle)
    } ours: { _ in
      _ = try store.read { try $0.fetch(query) }
    }
    add(.latency("range of \(Self.rangeRows) by an index", engine, items: rows, times, count: Self.repetitions))
    try Difference.find(try pair.floor.range(middle), try store.read { try $0.fetch(query) })
  }

  private func filter() throws {
    let title = BenchmarkData.title(rows / 2 + 1)
    let query = Query<SavedItem> { $0.title == title }
    let times = try contest(rounds: rounds, attempts: attempts) { _ in
      try pair.floor.titled(title)
    } ours: { _ in
      try store.read { try $0.fetch(query) }
    }
    add(.latency("filter without an index", engine, items: rows, times))
    try Difference.find(try pair.floor.titled(title), try store.read { try $0.fetch(query) })
  }

  private func search() throws {
    var selection = SavedItemSelection()
    selection.search = BenchmarkData.word
    let query = selection.query
    let times = try contest(rounds: rounds, attempts: attempts) { _ in
      try pair.floor.search(BenchmarkData.word)
    } ours: { _ in
      try store.read { try $0.fetch(query) }
    }
    let target: Finding.Target? = rows == 100_000 ? .atMost(0.05) : nil
    add(.latency("search a word", engine, items: rows, times, floor: "C, memmem", target: target))
    let found = try pair.floor.search(BenchmarkData.word)
    try Difference.find(found, try store.read { try $0.fetch(query) })
  }

  private func count() throws {
    let all = try contest(rounds: rounds, attempts: attempts) { _ in
      try pair.floor.count()
    } ours: { _ in
      try store.read { try $0.count(Query<SavedItem>()) }
    }
    add(.latency("count all", engine, items: rows, all))
    let middle = middle
    let (from, until) = (middle.lowerBound, middle.upperBound)
    let query = Query<SavedItem> { $0.createdAt >= from && $0.createdAt < until }
    let range = try repeated { _ in
      _ = try pair.floor.count(middle)
    } ours: { _ in
      _ = try store.read { try $0.count(query) }
    }
    add(.latency("count a range of \(Self.rangeRows)", engine, items: rows, range, count: Self.repetitions))
    let counts = (try pair.floor.count(), try pair.floor.count(middle))
    guard try store.read({ (try $0.count(Query<SavedItem>()), try $0.count(query)) }) == counts else {
      throw Difference(place: counts.0, reason: "the counts differ")
    }
  }

  private func repeated(floor: (Int) throws -> Void, ours: (Int) throws -> Void) throws -> Times {
    try contest(rounds: rounds, attempts: attempts) { _ in
      for number in 0..<Self.repetitions { try floor(number) }
    } ours: { _ in
      for number in 0..<Self.repetitions { try ours(number) }
    }
  }
}

#if SQLite
import Foundation
@testable import SaverCore
import SaverMemory
@testable import SaverSQLite
import Testing

/// Searches that no index narrows: a walk along the index of the order, that goes over into reading the whole table.
@Suite struct SQLiteScanTests {
  let folder = TestFolder()
  private static let newest = Query<Sample>().sorted(by: \.createdAt, descending: true)

  /// Every 100th text is rare, every third one common; three rows share each time, one in ten has no rank.
  private static func samples(_ count: Int) -> [Sample] {
    (0..<count).map { number in
      var text = "text \(number)"
      if number % 100 == 7 { text += " rare" }
      if number % 3 == 0 { text += " common" }
      let rank: Int? = number % 10 == 0 ? nil : number % 7
      let seconds = number * 7_919 % count / 3
      return Sample(
        text: text, tags: number % 500 == 0 ? ["élan"] : ["a", "b"], rank: rank,
        createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(seconds)))
    }
  }

  private func filled(_ samples: [Sample]) throws -> Store {
    let store = try folder.open()
    try store.write { transaction in
      for sample in samples { try transaction.insert(sample) }
    }
    return store
  }

  private func search(_ words: String, in query: Query<Sample> = newest) -> Query<Sample> {
    var query = query
    query.filter = .search(["text", "tags"], words)
    return query
  }

  private func read(_ store: Store, _ query: Query<Sample>) throws -> (found: [Sample], rows: Int) {
    try store.read { (try $0.fetch(query), $0.rowsRead) }
  }

  // MARK: Where it is sorted

  /// Files in a folder for all would hold what people have saved.
  @Test func whatIsSortedStaysInMemory() throws {
    let store = try filled(Self.samples(10))
    try store.compact()
    _ = try read(store, search("common"))
    let engine = try #require(store.engine as? SQLiteEngine)
    let deadline = Deadline(milliseconds: 30_000)
    let reader = try engine.store.pool.take(until: deadline)
    let inMemory = 2
    #expect(try reader.integer("PRAGMA temp_store") == inMemory)
    engine.store.pool.give(reader)
    let writer = try engine.store.writer(engine.opening.configuration, until: deadline)
    #expect(try writer.integer("PRAGMA temp_store") == inMemory)
  }

  // MARK: What is read

  @Test func aRareWordIsLookedForInTheWholeTable() throws {
    let store = try filled(Self.samples(10_000))
    let all = try read(store, search("RARE"))
    #expect(all.found.count == 100 && all.rows <= 10_256, "\(all.rows)")
    // 50 of 100 are half-way down, and a lookup costs twice as much as a row of the table.
    let page = try read(store, search("rare").limit(90))
    #expect(page.found.count == 90 && page.rows > 10_000 && page.rows <= 10_256, "\(page.rows)")
    let none = try read(store, search("missing").limit(50))
    #expect(none.found.isEmpty && none.rows <= 10_256, "\(none.rows)")
  }

  @Test func aPageOfCommonWordsIsWalked() throws {
    let store = try filled(Self.samples(10_000))
    let page = try read(store, search("common").limit(50))
    #expect(page.found.count == 50 && page.rows < 256, "\(page.rows)")
    let few = try read(store, search("rare").limit(3))
    #expect(few.found.count == 3 && few.rows < 1_000, "\(few.rows)")
    let common = try read(store, search("common"))
    #expect(common.found.count == 3_334 && common.rows <= 20_100, "\(common.rows)")
  }

  /// The last page of a search ends with the table, far earlier than all of it would be read.
  @Test func aPageNearTheEndIsWalked() throws {
    let samples = Self.samples(10_000)
    let store = try filled(samples)
    let sorted = try store.read { try $0.fetch(Self.newest) }
    let page = try read(store, search("missing", in: Self.newest.after(sorted[9_000])).limit(50))
    #expect(page.found.isEmpty && page.rows <= 2_100, "\(page.rows)")
    let early = try read(store, search("missing", in: Self.newest.after(sorted[10])).limit(50))
    #expect(early.found.isEmpty && early.rows <= 10_000 + 2_048, "\(early.rows)")
  }

  @Test func aSortWithoutAnIndexSortsWhatWasFound() throws {
    let store = try filled(Self.samples(2_000))
    let byText = try read(store, search("rare", in: Query<Sample>().sorted(by: \.text)).limit(5))
    #expect(byText.found.map(\.text) == byText.found.map(\.text).sorted() && byText.found.count == 5)
    #expect(byText.rows < 5_000, "\(byText.rows)")
  }

  // MARK: What is found

  @Test func theAnswersAreTheReferences() throws {
    let samples = Self.samples(900)
    let store = try filled(samples)
    let reference = try MemoryBackend.open(
      StoreLocation(base: folder.path + "/reference"), types: [Sample.schema.type],
      configuration: MemoryBackend.defaultConfiguration)
    try reference.write { transaction in
      for sample in samples { try transaction.insert(sample) }
    }
    let orders = [
      Self.newest, Query<Sample>().sorted(by: \.createdAt), Query<Sample>(), Query<Sample>().sorted(by: \.rank),
      Query<Sample>().sorted(by: \.rank, descending: true), Query<Sample>().sorted(by: \.text),
      Query<Sample>().sorted(by: \.rank).sorted(by: \.createdAt, descending: true),
    ]
    for (number, order) in orders.enumerated() {
      for words in ["rare", "common", "Elan", "missing", "t 1 rare"] {
        let query = search(words, in: order)
        let places = try reference.read {
          try $0.fetch(query.limit(1).offset(4)) + $0.fetch(order.limit(1).offset(500))
        }
        for query in [query] + places.map({ query.after($0) }) {
          for (offset, limit) in [(0, nil), (0, 50), (3, 7), (9, nil), (0, 1), (890, 5)] {
            let query = query.offset(offset).limit(limit)
            let expected = try reference.read { try $0.fetch(query) }
            #expect(try store.read { try $0.fetch(query) } == expected, "\(number): \(query)")
            #expect(try store.read { try $0.count(query) } == expected.count, "\(number): \(query)")
          }
        }
      }
    }
  }

  /// Times that other programs wrote, finer than a `Date` can tell apart: no row is lost or found twice where the walk
  /// ends and the rest begins.
  @Test func theRestBeginsExactlyBehindTheWalk() throws {
    let store = try folder.open()
    try folder.shell(
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1999)
      INSERT INTO sample (text, created_at) SELECT 'row ' || i, 0.1 + i * 1e-12 FROM n
      """)
    let found = try read(store, search("row", in: Query<Sample>().sorted(by: \.createdAt)).limit(1_900))
    #expect(found.found.map(\.text) == (0..<1_900).map { "row \($0)" })
    let sevens = try read(store, search("77", in: Query<Sample>().sorted(by: \.createdAt)))
    #expect(sevens.found.map(\.text) == (0..<2_000).map { "row \($0)" }.filter { $0.contains("77") })
    #expect(sevens.rows > 2_000 && sevens.rows <= 2_256, "\(sevens.rows)")
  }

  /// Row numbers that another program chose: the least there are.
  @Test func rowNumbersAreAnyIntegers() throws {
    let store = try folder.open()
    try folder.shell(
      """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 255)
      INSERT INTO sample (_rowid_, text, created_at) SELECT -9223372036854775808 + i, 'row ' || i, i FROM n
      """)
    let found = try read(store, search("255", in: Query<Sample>().sorted(by: \.createdAt)).limit(3))
    #expect(found.found.map(\.text) == ["row 255"])
    let none = try read(store, search("missing", in: Query<Sample>().sorted(by: \.createdAt)))
    #expect(none.found.isEmpty)
  }

  @Test func aSearchWithinASearch() throws {
    let store = try filled(Self.samples(1_000))
    var inner: [String] = []
    var outer: [String] = []
    try store.read { transaction in
      try transaction.forEach(search("rare")) { sample in
        try transaction.forEach(search("rare").limit(1)) {
          inner.append($0.text)
          return true
        }
        outer.append(sample.text)
        return true
      }
    }
    #expect(outer.count == 10 && inner == Array(repeating: outer[0], count: 10))
  }

  @Test func aSearchThatIsLeftHoldsNoSnapshot() throws {
    struct Stop: Error {}
    let store = try filled(Self.samples(1_000))
    #expect(throws: Stop.self) {
      try store.read { try $0.forEach(search("rare")) { _ in throw Stop() } }
    }
    // A reader that still held its snapshot would make the checkpoint incomplete.
    #expect(try folder.shell("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0")
  }

  /// SQLite's functions take 127 arguments.
  @Test func aSearchInVeryManyFields() throws {
    let names = (1...130).map { "field\($0)" }
    let id = FieldDescription(
      name: "id", type: .uuid, isOptional: false, isIndexed: false, default: .none, keyPath: \Sample.id)
    let type = RecordType(
      "wide", version: 1,
      fields: [id]
        + names.map {
          FieldDescription(
            name: $0, type: .string, isOptional: false, isIndexed: false, default: .none, keyPath: \Sample.text)
        }, indexes: [], derived: [])
    let store = try folder.open([type])
    let ids = (0..<20).map { _ in UUID.version7() }
    try store.engine.write(WriteOperation()) { transaction in
      for (number, id) in ids.enumerated() {
        try transaction.insert(type) { writer in
          withUnsafeBytes(of: id.uuid) { writer.append(.blob, copying: $0) }
          for name in names {
            withUnsafeBytes(of: UInt8(ascii: name == "field130" && number % 2 == 0 ? "x" : "y")) {
              writer.append(.text, copying: $0)
            }
          }
        }
      }
    }
    var found: [UUID] = []
    let selection = try Selection(type, filter: .search(names, "X"), limit: 7, offset: 1)
    try store.engine.read { transaction in
      try transaction.scan(selection) { row in
        found.append(try row[0])
        return true
      }
      #expect(try transaction.count(selection) == 7)
    }
    let matching = ids.indices.filter { $0 % 2 == 0 }.map { ids[$0] }
    let sorted = matching.sorted { $0.hexadecimal < $1.hexadecimal }
    #expect(found == Array(sorted[1..<8]))
  }
}
#endif

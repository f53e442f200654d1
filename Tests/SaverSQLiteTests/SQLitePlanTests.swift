#if SQLite
import Foundation
import SaverCore
import SaverSQLite
import Testing

@Suite struct SQLitePlanTests {
  let folder = TestFolder()
  let newest = Query<Sample>().sorted(by: \.createdAt, descending: true).limit(50)

  private func filled(_ count: Int) throws -> Store {
    let store = try folder.open()
    try store.write { transaction in
      for number in 0..<count {
        try transaction.insert(
          Sample(
            text: "text \(number)", kind: number % 2 == 0 ? .note : .link, rank: number % 10 == 0 ? nil : number % 7,
            createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number / 3))))
      }
    }
    return store
  }

  private func rowsRead(_ store: Store, _ query: Query<Sample>) throws -> Int {
    try store.read { transaction in
      _ = try transaction.fetch(query)
      return transaction.rowsRead
    }
  }

  @Test func theFirstFiftyByAnIndexReadFifty() throws {
    let store = try filled(10_000)
    let plan = try store.read { try $0.explain(newest) }
    #expect(plan.index == "created_at" && plan.isOrderedByIndex && plan.residual.isEmpty)
    let read = try rowsRead(store, newest)
    #expect((50...60).contains(read))
  }

  @Test func aPageFarDownReadsFiftyToo() throws {
    let store = try filled(10_000)
    let middle = try store.read { try $0.fetch(newest.limit(1).offset(6_000)) }[0]
    let read = try rowsRead(store, newest.after(middle))
    #expect((50...70).contains(read))
    let plan = try store.read { try $0.explain(newest.after(middle)) }
    #expect(plan.index == "created_at" && plan.isOrderedByIndex)
  }

  @Test func pagesByAnOptionalKeyBeginInTheIndex() throws {
    let store = try filled(10_000)
    for descending in [false, true] {
      let query = Query<Sample>().sorted(by: \.rank, descending: descending).limit(50)
      for offset in [500, 5_000, 9_500] {
        let place = try store.read { try $0.fetch(query.limit(1).offset(offset)) }[0]
        let expected = try store.read { try $0.fetch(query.offset(offset + 1)) }
        #expect(try store.read { try $0.fetch(query.after(place)) } == expected)
        #expect(try rowsRead(store, query.after(place)) < 300, "rank \(descending) \(offset)")
      }
    }
  }

  @Test func aSortWithoutAnIndexReadsEverything() throws {
    let store = try filled(2_000)
    let query = Query<Sample>().sorted(by: \.text).limit(5)
    let plan = try store.read { try $0.explain(query) }
    #expect(!plan.isOrderedByIndex)
    #expect(try rowsRead(store, query) >= 2_000)
  }

  @Test func conditionsUseTheirIndexes() throws {
    let store = try filled(10_000)
    let links = Query<Sample>(filter: .compare("kind", .equal, .text("link")))
      .sorted(by: \.createdAt, descending: true).limit(50)
    let plan = try store.read { try $0.explain(links) }
    #expect(plan.index == "kind_and_created_at" && plan.isOrderedByIndex)
    #expect(try rowsRead(store, links) < 80)

    let byKey = Query<Sample>(filter: .compare("key", .equal, .text("text 17")))
    #expect(try store.read { try $0.explain(byKey) }.index == "key")
    #expect(try rowsRead(store, byKey) < 40)

    let byPrefix = Query<Sample>(filter: .hasPrefix("key", "text 123"))
    #expect(try store.read { try $0.explain(byPrefix) }.index == "key")
    #expect(try rowsRead(store, byPrefix) < 300)

    let byID = Query<Sample>(filter: .compare("id", .equal, .uuid(UUID())))
    #expect(try store.read { try $0.explain(byID) }.index == "id")
  }

  @Test func whatIsLeftIsSaid() throws {
    let store = try filled(10)
    let search = Filter.search(["text"], "TEXT 5")
    let plan = try store.read {
      try $0.explain(Query<Sample>(filter: search && .compare("count", .equal, .int(0)) && .hasElement("tags", "a")))
    }
    #expect(plan.residual == [search, .hasElement("tags", "a")])
    #expect(plan.pushed == [.compare("count", .equal, .int(0)), .hasElement("tags", "a")])
    #expect(try store.read { try $0.fetch(Query<Sample>(filter: search)).map(\.text) } == ["text 5"])
    #expect(try store.read { try $0.count(Query<Sample>(filter: search)) } == 1)
  }

  @Test func aScanWithinAScanOfTheSameText() throws {
    let store = try filled(20)
    let query = Query<Sample>().limit(5)
    var inner: [String] = []
    var outer: [String] = []
    try store.read { transaction in
      try transaction.forEach(query) { sample in
        try transaction.forEach(query) {
          inner.append($0.text)
          return true
        }
        outer.append(sample.text)
        return true
      }
    }
    #expect(outer.count == 5 && inner == Array(repeating: outer, count: 5).flatMap { $0 })
  }

  @Test func aScanThatIsLeftHoldsNoSnapshot() throws {
    struct Stop: Error {}
    let store = try filled(100)
    #expect(throws: Stop.self) {
      try store.read { try $0.forEach(Query<Sample>()) { _ in throw Stop() } }
    }
    try store.read { try $0.forEach(Query<Sample>()) { _ in false } }
    // A reader that still held its snapshot would make the checkpoint incomplete.
    #expect(try folder.shell("PRAGMA wal_checkpoint(TRUNCATE)") == "0|0|0")
  }

  @Test func manyDifferentQueriesDoNotPileUp() throws {
    let store = try filled(10)
    try store.read { transaction in
      for length in 1...200 {
        let values = (0..<length).map { StoredValue.int($0) }
        let count = try transaction.count(Query<Sample>(filter: .isIn("count", values)))
        #expect(count == 10)
      }
    }
  }

  @Test func deepAndLongFiltersAreAnswered() throws {
    let store = try filled(10)
    var deep = Filter.compare("count", .equal, .int(0))
    for _ in 0..<400 { deep = .not(.and([deep, .constant(true)])) }
    let long = Filter.or((0..<3_000).map { .compare("count", .equal, .int($0 + 1)) })
    let wide = Filter.and((0..<3_000).map { .compare("count", .notEqual, .int($0 + 1)) })
    #expect(try store.read { try $0.count(Query<Sample>(filter: deep)) } == 10)
    #expect(try store.read { try $0.count(Query<Sample>(filter: long)) } == 0)
    #expect(try store.read { try $0.count(Query<Sample>(filter: wide)) } == 10)
  }
}
#endif

#if LMDB
import Foundation
import SaverCore
import SaverLMDB
import Testing

/// What queries cost, in rows and index entries read, on 10,000 rows.
@Suite struct LMDBPlanTests {
  let folder = TestFolder()
  let store: Store

  init() throws {
    store = try folder.open()
    try store.write { transaction in
      for number in 0..<10_000 {
        try transaction.insert(
          Sample(
            text: "text \(number)", kind: number % 100 == 0 ? .link : .note, count: number, rank: number % 1_000,
            createdAt: Date(timeIntervalSince1970: Double(number))))
      }
    }
  }

  private func read(_ query: Query<Sample>) throws -> (rows: [Sample], rowsRead: Int, plan: QueryPlan) {
    try store.read { transaction in
      let rows = try transaction.fetch(query)
      let rowsRead = transaction.rowsRead
      return (rows, rowsRead, try transaction.explain(query))
    }
  }

  @Test func aPageInTheOrderOfAnIndexReadsAPage() throws {
    for descending in [false, true] {
      var query = Query<Sample>().sorted(by: \.createdAt, descending: descending).limit(50)
      for page in 0..<4 {
        let result = try read(query)
        #expect(result.plan.index == "created_at" && result.plan.isOrderedByIndex)
        let expected = (0..<50).map { descending ? 9_999 - page * 50 - $0 : page * 50 + $0 }
        #expect(result.rows.map(\.count) == expected)
        #expect(result.rowsRead <= 51)
        query = query.after(try #require(result.rows.last))
      }
    }
  }

  @Test func aPageByIDReadsAPage() throws {
    let first = try read(Query().limit(50))
    #expect(first.rowsRead <= 51 && first.plan.index == nil && first.plan.isOrderedByIndex)
    let next = try read(Query().limit(50).after(try #require(first.rows.last)))
    #expect(next.rowsRead <= 51 && next.rows.first?.count == 50)
  }

  @Test func aFilterAndAnOrderShareACompoundIndex() throws {
    let query = Query<Sample> { $0.kind == .link }.sorted(by: \.createdAt, descending: true).limit(10)
    let result = try read(query)
    #expect(result.plan.index == "kind_and_created_at" && result.plan.isOrderedByIndex)
    #expect(result.plan.pushed.count == 1 && result.plan.residual.isEmpty)
    #expect(result.rows.map(\.count) == (0..<10).map { 9_900 - 100 * $0 } && result.rowsRead <= 11)
  }

  @Test func aRangeLimitsTheWalk() throws {
    let (from, to) = (Date(timeIntervalSince1970: 5_000), Date(timeIntervalSince1970: 5_100))
    let result = try read(Query { $0.createdAt >= from && $0.createdAt < to })
    #expect(result.rows.count == 100 && result.rowsRead <= 101)
    #expect(result.plan.index == "created_at" && result.plan.residual.isEmpty)
  }

  @Test func aListOfValuesIsSeveralRanges() throws {
    let result = try read(Query { $0.rank.isIn([3, 7, nil]) })
    #expect(result.rows.count == 20 && result.rowsRead <= 23)
    #expect(result.plan.index == "rank" && result.plan.detail.contains("3 ranges"))
  }

  @Test func fewMatchesAreSortedAndManyAreWalkedInOrder() throws {
    let few = try read(Query { $0.rank == 5 }.sorted(by: \.createdAt).limit(5))
    #expect(few.plan.index == "rank" && !few.plan.isOrderedByIndex && few.rowsRead <= 30)
    let many = try read(Query { $0.rank >= 100 }.sorted(by: \.createdAt).limit(5))
    #expect(many.plan.index == "created_at" && many.plan.isOrderedByIndex && many.rowsRead <= 250)
    #expect(many.rows.map(\.count) == [100, 101, 102, 103, 104])
  }

  @Test func idsReadTheirRowsAlone() throws {
    let some = try read(Query().limit(3)).rows.map(\.id)
    let result = try read(Query { $0.id.isIn(some) }.sorted(by: \.createdAt))
    #expect(result.rows.map(\.id) == some && result.rowsRead <= 6 && result.plan.index == nil)
    let one = try read(Query { $0.id == some[1] })
    #expect(one.rows.map(\.id) == [some[1]] && one.rowsRead <= 1)
  }

  @Test func aPrefixIsARangeOfADerivedColumn() throws {
    let result = try read(Query(filter: .hasPrefix("key", "text 77")))
    #expect(result.rows.count == 111 && result.rowsRead <= 112 && result.plan.index == "key")
  }

  @Test func countsReadNoRows() throws {
    let all = try store.read { (try $0.count(Query<Sample>()), $0.rowsRead) }
    #expect(all == (10_000, 0))
    let links = Query<Sample> { $0.kind == .link }
    let some = try store.read { (try $0.count(links), $0.rowsRead) }
    #expect(some == (100, 100))
    #expect(try store.read { try $0.count(links.offset(90).limit(50)) } == 10)
  }

  @Test func withoutAnIndexTheBestAreKept() throws {
    let result = try read(Query<Sample>().sorted(by: \.count, descending: true).offset(3).limit(4))
    #expect(result.plan.index == nil && !result.plan.isOrderedByIndex)
    #expect(result.rows.map(\.count) == [9_996, 9_995, 9_994, 9_993])
    let impossible = try read(Query(filter: .constant(false)))
    #expect(impossible.rows.isEmpty && impossible.rowsRead == 0)
  }

  @Test func scansCanBeNested() throws {
    let pairs: [(Int, Int)] = try store.read { transaction in
      var pairs: [(Int, Int)] = []
      try transaction.forEach(Query<Sample>().sorted(by: \.createdAt).limit(3)) { outer in
        try transaction.forEach(Query<Sample> { $0.rank == outer.rank }.sorted(by: \.createdAt).limit(2)) { inner in
          let same = try transaction.record(Sample.self, id: inner.id)
          pairs.append((outer.count, same?.count ?? -1))
          return true
        }
        return true
      }
      return pairs
    }
    #expect(pairs.map(\.0) == [0, 0, 1, 1, 2, 2] && pairs.map(\.1) == [0, 1_000, 1, 1_001, 2, 1_002])
  }
}
#endif

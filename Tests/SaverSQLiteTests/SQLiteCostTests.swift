#if SQLite
import CAllocations
import Foundation
import SaverCore
import SaverTestKit
@testable import SaverSQLite
import Testing

/// What the design promises of the work that is done, in counts. Times are the benchmark's business.
@Suite struct SQLiteCostTests {
  let folder = TestFolder()
  private let newest = Query<Link>().sorted(by: \.createdAt, descending: true).limit(50)

  private func filled(_ count: Int) throws -> (store: Store, links: [Link]) {
    let store = try folder.open([Link.schema.type])
    let links = (0..<count).map { Link($0) }
    try store.write { transaction in
      for link in links { try transaction.insert(link) }
    }
    return (store, links)
  }

  // MARK: Rows

  /// Rows and index entries: of a window its rows and a few; of an id one; of a range the range; of a search each row
  /// once, and 256 of them before, which tell how rare the word is.
  @Test func queriesReadWhatTheyGive() throws {
    let (store, links) = try filled(10_000)
    func read(_ query: Query<Link>) throws -> (found: Int, read: Int) {
      try store.read { (try $0.fetch(query).count, $0.rowsRead) }
    }
    let window = try read(newest)
    #expect(window.found == 50 && window.read <= 60, "\(window)")
    let next = try read(newest.after(links[5_000]))
    #expect(next.found == 50 && next.read <= 70, "\(next)")
    let one = try store.read { (try $0.record(Link.self, id: links[77].id), $0.rowsRead) }
    #expect(one.0 == links[77] && one.1 == 1, "\(one.1) for one by its id")
    let (from, until) = (links[4_000].createdAt, links[4_100].createdAt)
    let range = try read(Query<Link> { $0.createdAt >= from && $0.createdAt < until })
    #expect(range.found == 100 && range.read <= 250, "\(range)")
    let search = try read(Query<Link> { $0.search("number 14242", in: $0.text, $0.title, $0.tags) })
    #expect(search.found == 1 && search.read <= 10_256, "\(search)")
    let filter = try read(Query<Link> { $0.title == "Article number 14242" })
    #expect(filter.found == 1 && filter.read <= 20_100, "\(filter)")
  }

  // MARK: Statements

  /// A store that has done it all once prepares nothing more, on neither of its connections.
  @Test func aWarmStorePreparesNothing() throws {
    let (store, links) = try filled(300)
    let engine = try #require(store.engine as? SQLiteEngine)
    let (from, until) = (links[100].createdAt, links[120].createdAt)
    func work(_ round: Int) throws {
      try store.write { transaction in
        var link = links[round]
        link.title = "changed"
        try transaction.update(link)
        try transaction.insert(Link(1_000 + round))
        try transaction.delete(Link.self, id: links[299 - round].id)
      }
      try store.read { transaction in
        _ = try transaction.fetch(newest)
        _ = try transaction.fetch(newest.after(links[150]))
        _ = try transaction.record(Link.self, id: links[50].id)
        _ = try transaction.count(Query<Link>())
        _ = try transaction.fetch(Query<Link> { $0.createdAt >= from && $0.createdAt < until })
        _ = try transaction.fetch(Query<Link> { $0.search("changed", in: $0.title) })
        _ = try transaction.history(after: transaction.token(), limit: 5)
      }
    }
    func prepared() throws -> Int {
      let deadline = Deadline(milliseconds: 10_000)
      let writer = try engine.store.writer(engine.opening.configuration, until: deadline)
      let reader = try engine.store.pool.take(until: deadline)
      defer { engine.store.pool.give(reader) }
      return writer.preparedCount + reader.preparedCount
    }
    // Past the first look at what can be trimmed, and not as far as the first checkpoint.
    for round in 0..<25 { try work(round) }
    let before = try prepared()
    for round in 25..<60 { try work(round) }
    let added = try prepared() - before
    #expect(added == 0, "\(added) statements were prepared")
  }

  // MARK: Pages

  /// The log's frames: the pages of the table, of the indexes that change, of history and transaction, and now and then
  /// one more that was split. An update that changes no indexed value writes none of an index.
  @Test(arguments: [("insert", 8.0), ("update", 4.0), ("delete", 8.0)])
  func aCommitWritesFewPages(_ work: String, pagesMax: Double) throws {
    let (store, links) = try filled(2_000)
    let before = try frames(store)
    let commits = 60
    for number in 0..<commits {
      try store.write { transaction in
        switch work {
        case "insert": try transaction.insert(Link(5_000 + number))
        case "update":
          var link = links[number * 30]
          link.title = "Another title, as long"
          try transaction.update(link)
        default: try transaction.delete(Link.self, id: links[number * 30].id)
        }
      }
    }
    let pages = Double(try frames(store) - before) / Double(commits)
    print("SQLite: \(pages) pages for each \(work)")
    #expect(pages >= 3 && pages <= pagesMax, "\(pages) pages for each \(work)")
  }

  /// A large transaction writes each page about once.
  @Test func aLargeTransactionWritesEachPageOnce() throws {
    let (store, _) = try filled(1)
    let before = try frames(store)
    try store.write { transaction in
      for number in 1...4_000 { try transaction.insert(Link(number)) }
    }
    let frames = try frames(store) - before
    let pages = try #require(Int(folder.shell("PRAGMA page_count")))
    print("SQLite: \(frames) frames for \(pages) pages")
    #expect(frames <= pages + 20, "\(frames) frames for \(pages) pages")
  }

  /// In the log since it was emptied last. The log is too short here for a checkpoint.
  private func frames(_ store: Store) throws -> Int {
    let engine = try #require(store.engine as? SQLiteEngine)
    return try engine.store.writer(engine.opening.configuration, until: Deadline(milliseconds: 10_000)).walFrames
  }

  // MARK: Memory

  /// For each row: its text, its title, and what the array takes when it grows. Tags are lists that were seen before.
  @Test(.enabled(if: allocations_of_this_thread() >= 0)) func aRowAllocatesItsTexts() throws {
    let (store, links) = try filled(5_000)
    let all = Query<Link>().sorted(by: \.createdAt)
    _ = try store.read { try $0.fetch(all) }
    let before = allocations_of_this_thread()
    let found = try store.read { try $0.fetch(all) }
    let perRow = Double(allocations_of_this_thread() - before) / Double(links.count)
    print("SQLite: \(perRow) allocations for each row")
    #expect(found == links)
    #expect(perRow >= 2 && perRow <= 2.1, "\(perRow) allocations for each row")
  }
}
#endif

#if LMDB
import CAllocations
import Foundation
import SaverCore
import SaverTestKit
import SaverLMDB
import Testing

/// What the design promises of the work that is done, in counts; of rows and index entries, see `LMDBPlanTests`. Times
/// are the benchmark's business.
@Suite struct LMDBCostTests {
  let folder = TestFolder()

  private func filled(_ count: Int) throws -> (store: Store, links: [Link]) {
    let store = try folder.open([Link.schema.type])
    let links = (0..<count).map { Link($0) }
    try store.write { transaction in
      for link in links { try transaction.insert(link) }
    }
    return (store, links)
  }

  // MARK: Pages

  /// LMDB copies each page that changes, and those above it: of the rows, of the indexes that change, of history and
  /// transactions, of the free pages, of the table of databases, and a meta page.
  @Test(arguments: [("insert", 18.0), ("update", 14.0), ("delete", 20.0)])
  func aCommitWritesFewPages(_ work: String, pagesMax: Double) throws {
    let (store, links) = try filled(2_000)
    let commits = 40
    var pages = 0
    for number in 0..<commits {
      let before = try #require(folder.content)
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
      pages += Self.differingPages(before, try #require(folder.content))
    }
    let mean = Double(pages) / Double(commits)
    print("LMDB: \(mean) pages for each \(work)")
    #expect(mean >= 5 && mean <= pagesMax, "\(mean) pages for each \(work)")
  }

  /// A large transaction writes each page once: the file is not longer than what is in it.
  @Test func aLargeTransactionWritesEachPageOnce() throws {
    let (store, _) = try filled(1)
    let before = try #require(folder.content)
    try store.write { transaction in
      for number in 1...4_000 { try transaction.insert(Link(number)) }
    }
    let content = try #require(folder.content)
    let rows = Double(Self.differingPages(before, content)) / 4_000
    // A row, two index entries and a change are about 350 bytes, and pages that are filled from the end are full.
    print("LMDB: \(rows) pages for each row")
    #expect(rows <= 0.13, "\(rows) pages for each row")
  }

  private static func differingPages(_ before: Data, _ after: Data) -> Int {
    let size = 4_096
    return stride(from: 0, to: after.count, by: size).count { start in
      let end = min(start + size, after.count)
      return end > before.count || before[start..<end] != after[start..<end]
    }
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
    print("LMDB: \(perRow) allocations for each row")
    #expect(found == links)
    #expect(perRow >= 2 && perRow <= 2.1, "\(perRow) allocations for each row")
  }
}
#endif

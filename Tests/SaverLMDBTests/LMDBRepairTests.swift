#if LMDB
import CLMDB
import Foundation
import SaverCore
@testable import SaverLMDB
import Testing

/// What other programs leave undone, and what killed ones leave behind, mended.
@Suite struct LMDBRepairTests {
  let folder = TestFolder()

  private func filled() throws -> Store {
    let store = try folder.open()
    try store.write { transaction in
      for number in 0..<300 { try transaction.insert(Sample(text: "Text \(number)", rank: number % 7)) }
    }
    return store
  }

  @Test(.enabled(if: Python.isAvailable)) func aForeignCommit() throws {
    let store = try filled()
    try Python.run(
      """
      e = opened(); d = e.open_db(b'sample')
      with e.begin(write=True) as t:
          c = t.cursor(d); c.first(); k = c.key(); t.delete(k, db=d)
      """, folder.store)
    let inspection = try store.inspect(checkingIntegrity: true)
    #expect(!inspection.problems.isEmpty && inspection.warnings.contains { $0.contains("Another program") })
    let content = try store.read { try $0.content(of: [Sample.schema.type]) }
    #expect(content.count == 299)
    let mended = try store.repair()
    #expect(mended.contains { $0.contains("'sample' were built anew") }, "\(mended)")
    let after = try store.inspect(checkingIntegrity: true)
    #expect(after.problems == [] && !after.warnings.contains { $0.contains("Another program") })
    #expect(try store.read { try $0.content(of: [Sample.schema.type]) } == content)
    #expect(try store.repair() == [])
    try store.write { try $0.insert(Sample(text: "ours", rank: 1)) }
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  /// An index that lacks an entry and has one too many, in a store whose history says that nobody else wrote.
  @Test func anIndexThatDoesNotTellOfAllRows() throws {
    let store = try filled()
    let engine = try #require(store.engine as? LMDBEngine)
    let token = try store.read { try $0.token() }
    try store.write { transaction in
      let writer = try #require(transaction.engine as? LMDBTransaction)
      try transaction.insert(Sample(text: "one more", rank: 3))
      let index = try #require(writer.tables.all[0].indexes.first { $0.name == "rank" })
      var cursor = try IntegrityCheck(transaction: writer).cursor(index.database)
      #expect(try cursor.next())
      var key = cursor.key
      #expect(mdb_del(writer.transaction, index.database, &key, nil) == 0)
    }
    #expect(!(try store.inspect(checkingIntegrity: true).problems.isEmpty))
    let content = try store.read { try $0.content(of: [Sample.schema.type]) }
    #expect(try store.repair() == ["The indexes of 'sample' were built anew from the rows."])
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
    #expect(try store.read { try $0.content(of: [Sample.schema.type]) } == content)
    // Whoever has answered queries by the index compares in full.
    guard case .changes(let changes, _) = try store.read({ try $0.history(after: token) }) else {
      Issue.record("the token is not usable")
      return
    }
    #expect(changes.map(\.kind) == [.insert, .unknown])
    #expect(!(try store.read { try $0.engine.historyHead().hasUnknownChanges }))
    withExtendedLifetime(engine) {}
  }

  /// Slots of killed readers are free as soon as anybody opens the store, and the examination says so.
  @Test(.enabled(if: Python.isAvailable)) func readersThatWereKilled() throws {
    // Were nobody else there, the next to open the store would begin a new table of readers.
    let store = try filled()
    _ = try? Python.run(
      "import os\ne = opened(readonly=True)\nt = [e.begin() for i in range(3)]\nos.kill(os.getpid(), 9)", folder.store)
    let warnings = try store.inspect(checkingIntegrity: true).warnings
    #expect(warnings.contains { $0.hasPrefix("3 reader slots belonged to processes that were killed") }, "\(warnings)")
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func theInspectionCountsFreePages() throws {
    let store = try filled()
    func free() throws -> Int {
      Int(try store.inspect(checkingIntegrity: false).facts.first { $0.name == "free pages" }?.value ?? "") ?? -1
    }
    let before = try free()
    #expect(before >= 0)
    try store.write { transaction in try transaction.delete(Query<Sample>()) }
    #expect(try free() > before + 10)
  }
}
#endif

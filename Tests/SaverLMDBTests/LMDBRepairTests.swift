#if LMDB
import CLMDB
import Foundation
import SaverCore
@testable import SaverLMDB
import SaverTestKit
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
    try takeIndexEntry(from: store)
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

  /// What can be wrong with a history.
  enum Tear: CaseIterable {
    case transactionLost, newestLost, changeLost, changesLost, transactionUnreadable, newestUnreadable, changeUnreadable
    case keyThatIsNone, sequenceBeyondAll, branchBeyondAll

    func make(in transaction: LMDBTransaction, newest: Int64) throws {
      let (changes, transactions) = (transaction.tables.history, transaction.tables.transactions)
      func delete(_ sequence: Int64, _ database: MDB_dbi) {
        #expect(HistoryFormat.withKey(sequence) { mdb_del(transaction.transaction, database, &$0, nil) } == 0)
      }
      func put(_ key: [UInt8], _ value: [UInt8], _ database: MDB_dbi) {
        let result = key.withUnsafeBytes { key in
          value.withUnsafeBytes { value in
            var (key, value) = (MDB_val(key), MDB_val(value))
            return mdb_put(transaction.transaction, database, &key, &value, 0)
          }
        }
        #expect(result == 0)
      }
      func key(_ sequence: Int64) -> [UInt8] { withUnsafeBytes(of: sequence.bigEndian) { Array($0) } }
      switch self {
      case .transactionLost: delete(newest - 1, transactions)
      case .newestLost: delete(newest, transactions)
      case .changeLost: delete(newest - 1, changes)
      case .changesLost: #expect(mdb_drop(transaction.transaction, changes, 0) == 0)
      case .transactionUnreadable: put(key(newest - 1), [0xc0], transactions)
      case .newestUnreadable: put(key(newest), Array("garbage".utf8), transactions)
      case .changeUnreadable: put(key(newest - 1), [0x94, 0xa0], changes)
      case .keyThatIsNone: put(Array("somebody's key".utf8), [1], changes)
      case .sequenceBeyondAll: put(key(.max), [1], changes)
      case .branchBeyondAll:
        put(key(.max), [1], changes)
        put(Array(StoreMeta.branchKey.utf8), key(.max), transaction.tables.meta)
      }
    }
  }

  private func tear(_ store: Store, _ tear: Tear) throws {
    let engine = try #require(store.engine as? LMDBEngine)
    let newest = try store.head().token.sequence
    try engine.withTransaction(writing: true, until: Deadline(milliseconds: 10_000)) { transaction in
      try tear.make(in: transaction, newest: newest)
      try transaction.commit()
    }
  }

  private func insert(_ store: Store) throws { try store.write { try $0.insert(Sample(text: "later", rank: 3)) } }

  /// The rows are untouched; nobody takes a token from before for one of the new history; and the store can be written to,
  /// which it could not where the newest entry cannot be read.
  @Test(arguments: Tear.allCases) func aTornHistory(_ tear: Tear) throws {
    let store = try filled()
    let beginning = HistoryToken.beginning(of: store.identity)
    for _ in 0..<2 { try insert(store) }
    let check = RepairCheck([Sample.schema.type], tearsHistory: true)
    let mended = try check.run(on: store, write: insert) { try self.tear(store, tear) }
    #expect(mended.contains { $0.contains("begins anew") }, "\(mended)")
    #expect(try store.read { try $0.standing(of: beginning) } == .tooOld)
    #expect(!(try store.head().hasUnknownChanges))
    #expect(try store.transactions().first?.operation?.name == "repair")
    #expect(try store.head().token.sequence > 306)
    #expect(try store.read { try $0.count(Query<Sample> { $0.rank == 3 }) } == 43 + 7)
  }

  /// The check notices a repair that is none.
  @Test(arguments: Canary.repairing) func faultsOfARepairAreNoticed(_ canary: Canary) throws {
    for damage in canary.caughtBy {
      let folder = TestFolder()
      let store = try folder.open()
      try store.write { transaction in
        for number in 0..<20 { try transaction.insert(Sample(text: "Text \(number)", rank: number % 7)) }
      }
      let types = [Sample.schema.type]
      #expect(throws: ConformanceFailure.self, "\(canary), \(damage)") {
        try RepairCheck(types, tearsHistory: damage == "history").run(
          on: canary.breaking(store, types: types), write: insert,
          damage: { try damage == "history" ? tear(store, .changeLost) : takeIndexEntry(from: store) })
      }
    }
  }

  /// Takes an entry out of an index, in a transaction that the history tells of.
  private func takeIndexEntry(from store: Store) throws {
    try store.write { transaction in
      let writer = try #require(transaction.engine as? LMDBTransaction)
      try transaction.insert(Sample(text: "one more", rank: 3))
      let index = try #require(writer.tables.all[0].indexes.first { $0.name == "rank" })
      var cursor = try IntegrityCheck(transaction: writer).cursor(index.database)
      #expect(try cursor.next())
      var key = cursor.key
      #expect(mdb_del(writer.transaction, index.database, &key, nil) == 0)
    }
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

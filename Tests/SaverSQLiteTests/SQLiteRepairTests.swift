#if SQLite
import Foundation
import SaverCore
@testable import SaverSQLite
import SaverTestKit
import Testing

/// What other programs can do to a store without losing a row, mended.
@Suite struct SQLiteRepairTests {
  let folder = TestFolder()

  private func filled() throws -> Store {
    let store = try folder.open()
    try store.write { transaction in
      for number in 0..<300 {
        try transaction.insert(Sample(text: "Text \(number)", kind: number % 2 == 0 ? .link : .note, rank: number % 7))
      }
    }
    return store
  }

  /// Damages a store with the shell, has it mended, and returns the last token before it.
  @discardableResult
  private func expectMended(
    _ store: Store, tearsHistory: Bool = false, _ words: [String], _ commands: String...
  ) throws -> HistoryToken {
    var token = HistoryToken.beginning(of: store.identity)
    let check = RepairCheck([Sample.schema.type], tearsHistory: tearsHistory)
    let mended = try check.run(on: store, write: insert) {
      token = try store.token()
      for command in commands { try folder.shell(command) }
    }
    for word in words { #expect(mended.contains { $0.contains(word) }, "\(mended)") }
    return token
  }

  private func insert(_ store: Store) throws { try store.write { try $0.insert(Sample(text: "later")) } }

  @Test func triggersAndIndexesThatWereDropped() throws {
    let store = try filled()
    let token = try expectMended(
      store, ["logs", "'sample_kind_and_created_at'"],
      "DROP TRIGGER sample_history_insert; DROP INDEX sample_rank; DROP INDEX sample_kind_and_created_at")
    #expect(try store.logged(after: token.sequence).first == "unknown 00")
  }

  @Test func anIndexThatIsNotAsItWasMade() throws {
    let store = try filled()
    try expectMended(store, ["'sample_rank'"], "DROP INDEX sample_rank; CREATE INDEX sample_rank ON sample(text)")
    #expect(try store.read { try $0.fetch(Query<Sample>().sorted(by: \.rank)).map(\.rank) }.last == 6)
  }

  @Test func derivedValuesOfAnotherText() throws {
    let store = try filled()
    try expectMended(store, ["Derived values of 30"], "UPDATE sample SET key = 'wrong' WHERE text LIKE '%5'")
    #expect(try folder.shell("SELECT count(*) FROM sample WHERE key <> lower(text)") == "0")
  }

  /// Entries that name rows which are not there, and rows without an entry: as a crash of a broken disk leaves them.
  @Test func anIndexThatDoesNotTellOfAllRows() throws {
    let store = try filled()
    let definition = "CREATE INDEX \"sample_rank\" ON \"sample\" (\"rank\", \"id\")"
    let check = RepairCheck([Sample.schema.type])
    // The index is written to by a connection that believes it to be another one.
    let mended = try check.run(on: store, write: insert) {
      try folder.shell(
        """
        PRAGMA writable_schema = ON; UPDATE sqlite_schema
        SET sql = 'CREATE INDEX "sample_rank" ON "sample" ("count", "id")' WHERE name = 'sample_rank';
        """)
      try folder.shell("INSERT INTO sample(text, rank) VALUES ('foreign', 1000)")
      try folder.shell(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '\(definition)' WHERE name = 'sample_rank'")
      // Whoever has read the definition meanwhile reads it again.
      try folder.shell("PRAGMA schema_version = 1000")
    }
    #expect(mended.contains { $0.contains("built anew") }, "\(mended)")
    #expect(try store.read { try $0.count(Query<Sample> { $0.rank == 1000 }) } == 1)
  }

  /// The check notices a repair that is none.
  @Test(arguments: Canary.repairing) func faultsOfARepairAreNoticed(_ canary: Canary) throws {
    for damage in canary.caughtBy {
      let folder = TestFolder()
      let store = try folder.open()
      try store.write { transaction in
        for number in 0..<20 { try transaction.insert(Sample(text: "Text \(number)", rank: number % 7)) }
      }
      let tearsHistory = damage == "history"
      let command = tearsHistory ? "DELETE FROM saver_history WHERE sequence = 20" : "DROP INDEX sample_rank"
      let types = [Sample.schema.type]
      #expect(throws: ConformanceFailure.self, "\(canary), \(damage)") {
        try RepairCheck(types, tearsHistory: tearsHistory).run(
          on: canary.breaking(store, types: types), write: insert, damage: { try folder.shell(command) })
      }
    }
  }

  /// What can be wrong with a history, and what is done to it.
  private static let tears = [
    "a change is lost": "DELETE FROM saver_history WHERE sequence = 302",
    "the newest change is lost": "DELETE FROM saver_history WHERE sequence = 303",
    "all changes are lost": "DELETE FROM saver_history",
    "a transaction is lost": "DELETE FROM saver_transaction WHERE last = 302",
    "a change says nothing": "UPDATE saver_history SET kind = 'nonsense' WHERE sequence = 302",
    "a sequence beyond all": "INSERT INTO saver_history (sequence, type, id, kind) "
      + "VALUES (9223372036854775807, 'sample', zeroblob(16), 'insert')",
    "a transaction beyond all": "UPDATE saver_transaction SET last = 9223372036854775807 WHERE last = 303",
    "a transaction beyond all, without changes":
      "UPDATE saver_transaction SET last = 9223372036854775807 WHERE last = 303; DELETE FROM saver_history",
    "a branch beyond all": "DELETE FROM saver_history WHERE sequence = 302; "
      + "INSERT INTO saver_store VALUES ('history.branch', 9223372036854775807)",
  ]

  /// The rows are untouched, and nobody takes a token from before for one of the new history.
  @Test(arguments: tears.keys.sorted()) func aTornHistory(_ name: String) throws {
    let store = try filled()
    let beginning = HistoryToken.beginning(of: store.identity)
    for _ in 0..<2 { try insert(store) }
    try expectMended(store, tearsHistory: true, ["begins anew"], try #require(Self.tears[name]))
    #expect(try store.read { try $0.standing(of: beginning) } == .tooOld)
    #expect(try store.token().sequence > 306)
  }

  /// Whoever writes to it without having it mended meets no trap, and goes on.
  @Test func aSequenceBeyondAllIsWrittenBehind() throws {
    let store = try filled()
    let token = try store.token()
    try folder.shell(try #require(Self.tears["a sequence beyond all"]))
    try store.write { try $0.insert(Sample(text: "later")) }
    let next = try store.token()
    #expect(next.sequence > token.sequence && next.sequence < 1_000)
    #expect(try store.read { try $0.standing(of: token) } != .usable)
    try store.write { try $0.insert(Sample(text: "after")) }
    #expect(try store.read { try $0.standing(of: next) } == .usable)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  /// A row that is no record is not ours to delete: it stays, and is still said.
  @Test func whatCannotBeMendedIsSaid() throws {
    let store = try filled()
    try folder.shell("INSERT INTO sample(text) VALUES (CAST(x'ff41' AS TEXT))")
    let before = try store.inspect(checkingIntegrity: true).problems
    #expect(before.count == 1)
    #expect(try store.repair() == [])
    #expect(try store.inspect(checkingIntegrity: true).problems == before)
    #expect(try folder.shell("SELECT count(*) FROM sample") == "301")
  }
}
#endif

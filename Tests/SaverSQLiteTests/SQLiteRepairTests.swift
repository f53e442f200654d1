#if SQLite
import Foundation
import SaverCore
@testable import SaverSQLite
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

  private func expectMended(
    _ store: Store, _ words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let problems = try store.inspect(checkingIntegrity: true).problems
    #expect(!problems.isEmpty, "nothing was wrong", sourceLocation: sourceLocation)
    let content = try store.read { try $0.content(of: [Sample.schema.type]) }
    let mended = try store.repair()
    for word in words {
      #expect(mended.contains { $0.contains(word) }, "\(mended)", sourceLocation: sourceLocation)
    }
    #expect(try store.inspect(checkingIntegrity: true).problems == [], sourceLocation: sourceLocation)
    #expect(try store.read { try $0.content(of: [Sample.schema.type]) } == content, sourceLocation: sourceLocation)
    #expect(try store.repair() == [], "a second time", sourceLocation: sourceLocation)
  }

  @Test func triggersAndIndexesThatWereDropped() throws {
    let store = try filled()
    let token = try store.token()
    try folder.shell(
      "DROP TRIGGER sample_history_insert; DROP INDEX sample_rank; DROP INDEX sample_kind_and_created_at")
    try expectMended(store, ["logs", "'sample_kind_and_created_at'"])
    #expect(try store.logged(after: token.sequence) == ["unknown 00"])
  }

  @Test func anIndexThatIsNotAsItWasMade() throws {
    let store = try filled()
    try folder.shell("DROP INDEX sample_rank; CREATE INDEX sample_rank ON sample(text)")
    try expectMended(store, ["'sample_rank'"])
    #expect(try store.read { try $0.fetch(Query<Sample>().sorted(by: \.rank)).map(\.rank) }.last == 6)
  }

  @Test func derivedValuesOfAnotherText() throws {
    let store = try filled()
    try folder.shell("UPDATE sample SET key = 'wrong' WHERE text LIKE '%5'")
    try expectMended(store, ["Derived values of 30"])
    #expect(try folder.shell("SELECT count(*) FROM sample WHERE key = lower(text)") == "300")
  }

  /// Entries that name rows which are not there, and rows without an entry: as a crash of a broken disk leaves them.
  @Test func anIndexThatDoesNotTellOfAllRows() throws {
    let store = try filled()
    try folder.shell(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX "sample_rank" ON "sample" ("count", "id")' WHERE name = 'sample_rank';
      """)
    // The index is written to by a connection that believes it to be another one.
    try folder.shell("INSERT INTO sample(text, rank) VALUES ('foreign', 1000)")
    let definition = "CREATE INDEX \"sample_rank\" ON \"sample\" (\"rank\", \"id\")"
    try folder.shell(
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '\(definition)' WHERE name = 'sample_rank'")
    try expectMended(try folder.open(), ["built anew"])
    #expect(try store.read { try $0.count(Query<Sample> { $0.rank == 1000 }) } == 1)
  }

  @Test func aTornHistory() throws {
    let store = try filled()
    try store.write { try $0.insert(Sample(text: "later")) }
    let token = try store.token()
    try folder.shell("DELETE FROM saver_history WHERE sequence = 301")
    try expectMended(store, ["begins anew"])
    #expect(try store.read { try $0.standing(of: token) } != .usable)
    let next = try store.token()
    #expect(next.sequence > token.sequence)
    try store.write { try $0.insert(Sample(text: "after")) }
    #expect(try store.read { try $0.standing(of: next) } == .usable)
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

#if SQLite
import Foundation
import SaverCore
import SaverSQLite
import Testing

@Suite struct SQLiteMigrationTests {
  let folder = TestFolder()

  struct First: Record, Hashable {
    var id: UUID
    var text: String
    static let schema = Schema("page", version: 1, Field("id", \Self.id), Field("text", \.text), make: First.init)
  }

  struct Second: Record, Hashable {
    var id: UUID
    var rank: Int?
    var text: String
    var count: Int
    var at: Date
    static let schema = Schema(
      "page", version: 2, Field("id", \Self.id), Field("rank", \.rank), Field("text", \.text, indexed: true),
      Field("count", \.count, default: 5), Field("at", \.at, defaultsToNow: true),
      derived: [DerivedField("key", from: "text") { $0.uppercased() }], make: Second.init)
  }

  private let records = (0..<300).map { First(id: .version7(), text: "text \($0)") }
    .sorted { $0.id.hexadecimal < $1.id.hexadecimal }

  private func firstStore() throws {
    try folder.open([First.schema.type]).write { transaction in
      for record in records { try transaction.insert(record) }
    }
  }

  @Test func fieldsIndexesAndDerivedColumnsAreAdded() throws {
    try firstStore()
    let store = try folder.open([Second.schema.type])
    let found = try store.read { try $0.fetch(Query<Second>()) }
    #expect(found.map(\.id) == records.map(\.id) && found.map(\.text) == records.map(\.text))
    #expect(found.allSatisfy { $0.count == 5 && $0.rank == nil && abs($0.at.timeIntervalSinceNow) < 60 })
    let query = Query<Second>(filter: .compare("key", .equal, .text("TEXT 7")))
    #expect(try store.read { try $0.fetch(query).map(\.text) } == ["text 7"])
    try store.write { _ in }
    #expect(try folder.shell("SELECT count(*) FROM page WHERE key = upper(text)") == "300")
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
    #expect(try folder.shell("SELECT value FROM saver_store WHERE key = 'schema.page'").hasPrefix("record page 2\n"))
  }

  /// Rows are written anew, which the history does not tell one by one; old rows in it have the columns of then.
  @Test func theHistorySaysThatSomethingUnknownHappened() throws {
    try firstStore()
    let token: HistoryToken
    do {
      let store = try folder.open([First.schema.type])
      try store.write { try $0.update(First(id: records[0].id, text: "changed")) }
      #expect(try store.logged(after: 300).first?.hasSuffix(records[0].text) == true)
      token = try store.token()
    }
    let store = try folder.open([Second.schema.type])
    try store.write { try $0.delete(Second.self, id: records[0].id) }
    let last = records[0].id.hexadecimalDigits.suffix(2)
    // The text is the third column now.
    #expect(try store.logged(after: 300) == ["update \(last)", "unknown 00", "delete \(last)"])
    #expect(try store.standing(of: token) == .usable)
    #expect(try store.transactions().map(\.author) == [.current, .current, .foreign, .current])
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func anOlderProgramIsRefusedAndChangesNothing() throws {
    _ = try folder.open([Second.schema.type])
    let content = FileManager.default.contents(atPath: folder.store)
    #expect(code { _ = try folder.open([First.schema.type]) } == .schemaMismatch)
    #expect(FileManager.default.contents(atPath: folder.store) == content)
  }

  @Test func aTypeIsAddedAndOthersAreLeftAlone() throws {
    try firstStore()
    let both = try folder.open([Sample.schema.type, First.schema.type])
    try both.write { try $0.insert(Sample(text: "x")) }
    #expect(try both.read { try $0.count(Query<First>()) } == 300)
    #expect(try folder.open([First.schema.type]).read { try $0.count(Query<First>()) } == 300)
    #expect(try folder.open().read { try $0.count(Query<Sample>()) } == 1)
  }

  @Test func aForeignTableOfTheNameIsNotTakenOver() throws {
    try firstStore()
    try folder.shell("CREATE TABLE sample(x); INSERT INTO sample VALUES (1)")
    #expect(code { _ = try folder.open() } == .schemaMismatch)
    #expect(try folder.shell("SELECT x FROM sample") == "1")
  }

  @Test func aForeignColumnIsNotLostInSilence() throws {
    try firstStore()
    try folder.shell("ALTER TABLE page ADD COLUMN mine TEXT; CREATE VIEW v AS SELECT mine FROM page")
    #expect(code { _ = try folder.open([Second.schema.type]) } == .schemaMismatch)
    #expect(try folder.shell("SELECT count(*) FROM page") == "300")
    try folder.shell("DROP VIEW v; ALTER TABLE page DROP COLUMN mine; CREATE VIEW v AS SELECT text FROM page")
    _ = try folder.open([Second.schema.type])
    #expect(try folder.shell("SELECT count(*) FROM v") == "300")
  }
}
#endif

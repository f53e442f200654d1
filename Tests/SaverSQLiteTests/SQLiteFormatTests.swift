#if SQLite
import Foundation
import SaverCore
import SaverSQLite
import Testing

@Suite struct SQLiteFormatTests {
  let folder = TestFolder()

  @Test func aRecordOfDistinctValuesComesBack() throws {
    let sample = Sample(
      text: "a\0b – é", title: "", tags: ["x", "a\"\\\n,\u{1}", ""], kind: .link, count: .min, rank: 7,
      score: -.infinity,
      isDone: true, data: Data([0, 1, 255]), createdAt: Date(timeIntervalSince1970: 1_700_000_000.123))
    let store = try folder.open()
    try store.write { try $0.insert(sample) }
    #expect(try store.read { try $0.record(Sample.self, id: sample.id) } == sample)
    #expect(try store.read { try $0.fetch(Query<Sample>()) } == [sample])
  }

  @Test func aShellThatKnowsNothingOfUsCanShare() throws {
    let store = try folder.open()
    let before = Date().timeIntervalSince1970
    try folder.shell("INSERT INTO sample(text) VALUES ('from the shell')")
    let found = try store.read { try $0.fetch(Query<Sample>()) }
    #expect(found.count == 1)
    let sample = try #require(found.first)
    #expect(sample.text == "from the shell")
    #expect(sample.kind == .note && sample.title == nil && sample.tags == [])
    let time = sample.createdAt.timeIntervalSince1970
    #expect(abs(time - before) < 60)
    #expect((time * 1000).rounded() / 1000 == time)
  }

  @Test func theShellReadsWhatWeWrite() throws {
    let store = try folder.open()
    let sample = Sample(text: "https://example.com/", tags: ["a", "b"], createdAt: Date(timeIntervalSince1970: 0))
    try store.write { try $0.insert(sample) }
    let line = try folder.shell(
      "SELECT lower(hex(id)), text, tags, json_extract(tags, '$[1]'), datetime(created_at, 'unixepoch'), key FROM sample"
    )
    let id = sample.id.hexadecimal.replacingOccurrences(of: "-", with: "")
    #expect(line == "\(id)|https://example.com/|[\"a\",\"b\"]|b|1970-01-01 00:00:00|https://example.com/")
  }

  @Test func theFileSaysWhoseItIs() throws {
    let store = try folder.open()
    #expect(try folder.shell("PRAGMA application_id; PRAGMA user_version; PRAGMA journal_mode") == "1396790866\n1\nwal")
    let identity = try folder.shell("SELECT lower(hex(value)) FROM saver_store WHERE key = 'identity'")
    #expect(identity == store.identity.hexadecimal.replacingOccurrences(of: "-", with: ""))
    #expect(
      try folder.shell("SELECT value FROM saver_store WHERE key = 'schema.sample'").hasPrefix("record sample 1\n"))
    #expect(try folder.open().identity == store.identity)
    #expect(store.path == folder.store)
  }

  @Test func aWrongTypeIsRefusedByTheTable() throws {
    _ = try folder.open()
    #expect(throws: ShellError.self) { try folder.shell("INSERT INTO sample(text, count) VALUES ('x', 'many')") }
    #expect(throws: ShellError.self) { try folder.shell("INSERT INTO sample(id, text) VALUES (x'00', 'x')") }
  }

  @Test func aRowThatIsNoRecordIsAnErrorThatNamesIt() throws {
    let store = try folder.open()
    let good = Sample(text: "good")
    try store.write { try $0.insert(good) }
    try folder.shell(
      "INSERT INTO sample(id, text) VALUES (x'00112233445566778899aabbccddeeff', CAST(x'ff41' AS TEXT))")
    let error = #expect(throws: StorageError.self) { try store.read { try $0.fetch(Query<Sample>()) } }
    #expect(error?.code == .damagedRow)
    #expect(error?.message.contains("00112233-4455-6677-8899-aabbccddeeff") == true)
    #expect(error?.message.contains("'text'") == true)
    #expect(try store.read { try $0.ids(Query<Sample>()) }.count == 2)
    let inspection = try store.inspect(checkingIntegrity: true)
    #expect(inspection.problems.count == 1)
    // Our next writer passes it, and it can be deleted.
    let bad = UUID(uuidString: "00112233-4455-6677-8899-aabbccddeeff")!
    #expect(try store.write { try $0.delete(Sample.self, id: bad) })
    #expect(try store.read { try $0.fetch(Query<Sample>()) } == [good])
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func theConfigurationListsWhatItKnows() throws {
    func decode(_ text: String) throws -> SQLiteBackend.Configuration {
      try JSONDecoder().decode(SQLiteBackend.Configuration.self, from: Data(text.utf8))
    }
    #expect(try decode("{}").synchronous == .full)
    #expect(try decode(#"{"synchronous": "normal"}"#).synchronous == .normal)
    let error = #expect(throws: DecodingError.self) { try decode(#"{"synchronous": "maybe"}"#) }
    #expect("\(String(describing: error))".contains(#""full" or "normal""#))
  }

  @Test func theInspectionTellsTheFacts() throws {
    let store = try folder.open()
    try store.write { try $0.insert(Sample(text: "x")) }
    let inspection = try store.inspect(checkingIntegrity: true)
    let facts = Dictionary(uniqueKeysWithValues: inspection.facts.map { ($0.name, $0.value) })
    #expect(facts["journal mode"] == "wal")
    #expect(facts["synchronous"] == "full")
    #expect(facts["page size"] == "4096")
    #expect(inspection.rows.map(\.type) == ["sample"] && inspection.rows.map(\.count) == [1])
    #expect(Int(facts["frames in the log"] ?? "0")! > 0)
    #expect(inspection.problems == [])
    #expect(inspection.files.map(\.path).contains(folder.store + "-wal"))
    try folder.shell("DROP TRIGGER sample_key_clear; DROP INDEX sample_rank")
    let problems = try store.inspect(checkingIntegrity: true).problems
    #expect(problems.count == 2)
  }
}
#endif

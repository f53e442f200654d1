#if SQLite
import Foundation
import SaverCore
import SaverSQLite
import Testing

@Suite struct SQLiteDerivedTests {
  let folder = TestFolder()
  let query = Query<Sample>(filter: .compare("key", .equal, .text("some text")))

  private func keys() throws -> String {
    try folder.shell("SELECT coalesce(quote(key), 'NULL') FROM sample ORDER BY text")
  }

  @Test func aForeignRowIsFoundBeforeAndAfterItsValueIsFilledIn() throws {
    let store = try folder.open()
    try folder.shell("INSERT INTO sample(text) VALUES ('Some Text'), ('other'), ('-none')")
    #expect(try keys() == "NULL\nNULL\nNULL")
    #expect(try store.read { try $0.count(query) } == 1)
    #expect(try store.read { try $0.fetch(query).map(\.text) } == ["Some Text"])
    try store.write { _ in }
    #expect(try keys() == "''\n'some text'\n'other'")
    #expect(try store.read { try $0.fetch(query).map(\.text) } == ["Some Text"])
  }

  @Test func aForeignUpdateOfTheSourceTakesTheValueAway() throws {
    let store = try folder.open()
    let sample = Sample(text: "Some Text")
    try store.write { try $0.insert(sample) }
    try folder.shell("UPDATE sample SET title = 'x'")
    #expect(try keys() == "'some text'")
    try folder.shell("UPDATE sample SET text = 'changed'")
    #expect(try keys() == "NULL")
    #expect(try store.read { try $0.count(query) } == 0)
    try folder.shell("UPDATE sample SET text = 'some text'")
    #expect(try store.read { try $0.count(query) } == 1)
  }

  @Test func ourOwnUpdateLeavesItRight() throws {
    let store = try folder.open()
    var sample = Sample(text: "Some Text")
    try store.write { try $0.insert(sample) }
    // The source changes and the value does not: to the trigger this looks like a foreign update.
    sample.text = "SOME TEXT"
    #expect(try store.write { try $0.update(sample) })
    #expect(try keys() == "'some text'")
    sample.text = "more"
    #expect(try store.write { try $0.update(sample) })
    #expect(try keys() == "'more'")
  }

  @Test func manyMissingValuesAreFilledInPortions() throws {
    let store = try folder.open()
    try folder.shell(
      "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO sample(text) SELECT 'T' || i FROM n"
    )
    try store.write { _ in }
    #expect(try folder.shell("SELECT count(*) FROM sample WHERE key = lower(text)") == "1000")
  }

  @Test func aStaleValueIsReported() throws {
    let store = try folder.open()
    try store.write { try $0.insert(Sample(text: "a")) }
    try folder.shell("UPDATE sample SET key = 'b'")
    let problems = try store.inspect(checkingIntegrity: true).problems
    #expect(problems.count == 1)
    #expect(problems.first?.contains("1 derived values") == true)
  }
}
#endif

#if SQLite
import Foundation
import SaverCore
import SaverSQLite
import Testing

/// What the history tells of statements of the sqlite3 shell, a process that knows nothing of it.
@Suite struct SQLiteForeignHistoryTests {
  let folder = TestFolder()

  /// Rows 01 and 02, with the rowids 1 and 2, as the shell wrote them; what was logged by the commands after that.
  private func logged(_ commands: String...) throws -> (changes: [String], lines: [String]) {
    let store = try folder.open([Line.schema.type])
    try folder.shell("INSERT INTO line VALUES (\(Line.sql(1)), 'one'), (\(Line.sql(2)), 'two')")
    #expect(try store.logged() == ["insert 01", "insert 02"])
    try folder.shell(commands.joined(separator: ";"))
    return (try store.logged(after: 2), try store.lines())
  }

  @Test func plainStatementsAreLoggedRowByRow() throws {
    let found = try logged(
      "INSERT INTO line VALUES (\(Line.sql(3)), 'three')", "UPDATE line SET text = text || '!'",
      "DELETE FROM line WHERE text = 'two!'", "DELETE FROM line")
    #expect(
      found.changes == [
        "insert 03", "update 01 one", "update 02 two", "update 03 three", "delete 02 two!", "delete 01 one!",
        "delete 03 three!",
      ])
    #expect(found.lines == [])
  }

  @Test func aRowThatGetsItsIDFromTheTableIsLoggedWithIt() throws {
    let store = try folder.open([Line.schema.type])
    try folder.shell("PRAGMA trusted_schema = OFF; INSERT INTO line(text) VALUES ('x')")
    let id = try #require(try store.read { try $0.ids(Query<Line>()) }.first)
    guard case .changes(let changes, _) = try store.read({ try $0.history(after: nil) }) else {
      Issue.record("the history is refused")
      return
    }
    #expect(changes == [HistoryChange(sequence: 1, type: "line", id: id, kind: .insert)])
  }

  @Test func aReplacementByIDKeepsTheOldRow() throws {
    let found = try logged("INSERT OR REPLACE INTO line VALUES (\(Line.sql(1)), 'new')")
    #expect(found.changes == ["update 01 one", "insert 01"])
    #expect(found.lines == ["01 new", "02 two"])
  }

  @Test func aReplacementByRowidNamesTheRowThatWent() throws {
    let found = try logged("INSERT OR REPLACE INTO line(rowid, id, text) VALUES (1, \(Line.sql(3)), 'new')")
    #expect(found.changes == ["update 01 one", "insert 03"])
    #expect(found.lines == ["02 two", "03 new"])
  }

  @Test func aReplacementOfTwoRowsNamesBoth() throws {
    let found = try logged("REPLACE INTO line(rowid, id, text) VALUES (1, \(Line.sql(2)), 'new')")
    #expect(Set(found.changes.dropLast()) == ["update 01 one", "update 02 two"] && found.changes.count == 3)
    #expect(found.changes.last == "insert 02")
    #expect(found.lines == ["02 new"])
  }

  @Test func anUpdateThatChangesTheIDIsADeletionAndAnInsertion() throws {
    let found = try logged("UPDATE line SET id = \(Line.sql(9)), text = 'nine' WHERE id = \(Line.sql(1))")
    #expect(found.changes == ["delete 01 one", "insert 09"])
    #expect(found.lines == ["02 two", "09 nine"])
  }

  @Test func anUpdateThatOverwritesByIDNamesTheRowThatWent() throws {
    let found = try logged("UPDATE OR REPLACE line SET id = \(Line.sql(2)) WHERE id = \(Line.sql(1))")
    #expect(found.changes == ["update 02 two", "delete 01 one", "insert 02"])
    #expect(found.lines == ["02 one"])
  }

  @Test func anUpdateThatOverwritesByRowidNamesTheRowThatWent() throws {
    let found = try logged("UPDATE OR REPLACE line SET rowid = 2 WHERE rowid = 1")
    #expect(found.changes == ["update 02 two"])
    #expect(found.lines == ["01 one"])
  }

  @Test func theFirstEntryOfAnUpsertHasTheOldRow() throws {
    let found = try logged(
      "INSERT INTO line VALUES (\(Line.sql(1)), 'x') ON CONFLICT(id) DO UPDATE SET text = excluded.text",
      "INSERT INTO line VALUES (\(Line.sql(4)), 'four') ON CONFLICT(id) DO UPDATE SET text = 'never'")
    #expect(found.changes.first == "update 01 one" && found.changes.last == "insert 04")
    #expect(found.changes.dropLast().allSatisfy { $0 == "update 01 one" })
    #expect(found.lines == ["01 x", "02 two", "04 four"])
  }

  /// The condition that a statement handles is inherited by the triggers: none of their own may fail.
  @Test func statementsThatIgnoreAreLogged() throws {
    let found = try logged(
      "INSERT OR IGNORE INTO line VALUES (\(Line.sql(3)), 'three')",
      "UPDATE OR IGNORE line SET text = 'x' WHERE id = \(Line.sql(2))", "UPDATE OR FAIL line SET text = 'y'")
    #expect(found.changes.prefix(2) == ["insert 03", "update 02 two"] && found.changes.count == 5)
    #expect(found.lines == ["01 y", "02 y", "03 y"])
  }

  @Test func whatIsRefusedOrTakenBackLeavesNothing() throws {
    let store = try folder.open([Line.schema.type])
    try store.write { try $0.insert(Line(1, "one")) }
    let before = try store.head()
    #expect(throws: ShellError.self) { try folder.shell("INSERT INTO line VALUES (\(Line.sql(1)), 'x')") }
    try folder.shell("BEGIN; UPDATE line SET text = 'x'; DELETE FROM line; ROLLBACK; DELETE FROM line WHERE 0")
    #expect(try store.head().token == before.token)
    #expect(try store.logged() == ["insert 01"])
  }

  /// A program may call its triggers for the rows that a REPLACE removes, too.
  @Test func recursiveTriggersOnlyTellMore() throws {
    let found = try logged(
      "PRAGMA recursive_triggers = ON", "INSERT OR REPLACE INTO line VALUES (\(Line.sql(1)), 'new')")
    #expect(found.changes == ["update 01 one", "delete 01 one", "insert 01"])
  }

  @Test func aRenamedTableIsNotTakenForTheOne() throws {
    let store = try folder.open([Line.schema.type])
    try store.write { try $0.insert(Line(1, "one")) }
    try folder.shell("ALTER TABLE line RENAME TO other")
    #expect(code { try store.write { _ in } } == .corrupt)
    try folder.shell("ALTER TABLE other RENAME TO line")
    try store.write { try $0.insert(Line(2, "two")) }
    #expect(try store.lines() == ["01 one", "02 two"])
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test func derivedValuesAreNotLogged() throws {
    let store = try folder.open()
    try folder.shell("INSERT INTO sample(id, text) VALUES (\(Line.sql(1)), 'One')")
    try store.write { _ in }
    #expect(try folder.shell("SELECT key FROM sample") == "one")
    #expect(try store.logged() == ["insert 01"])
    try folder.shell("UPDATE sample SET text = 'Two'")
    try store.write { _ in }
    #expect(try folder.shell("SELECT key FROM sample") == "two")
    #expect(try store.logged() == ["insert 01", "update 01 One"])
    // Nothing of ours was logged, so nobody has closed what another program wrote.
    #expect(try store.transactions() == [])
  }
}
#endif

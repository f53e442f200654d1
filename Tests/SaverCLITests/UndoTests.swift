import Foundation
import Testing

@Suite struct UndoTests {
  /// Case 6: the same id, tags, title, dates, to the last byte.
  @Test(arguments: Program.fileEngines) func aDeleteIsTakenBack(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let text = "a\tb\n— 家族 e\u{301}"
    let id = try sandbox.share(text, "--title", "T\u{202E}", "--tag", "x", "--tag", "日本", "--created", "2020-02-29")
    let other = try sandbox.share("other")
    let before = try sandbox.items()
    try #require(try sandbox.run("delete", id, other).exitCode == 0)
    #expect(try sandbox.items().isEmpty)
    let outcome = try sandbox.run("undo")
    #expect(outcome.exitCode == 0 && outcome.stderr == "")
    #expect(outcome.lines.first?.hasPrefix("undid 'delete' of 2026-") == true, "\(outcome.stdout)")
    #expect(outcome.lines.count == 3 && outcome.lines.dropFirst().allSatisfy { $0.hasPrefix("restored  ") })
    #expect(outcome.stdout.contains("restored  \(other.suffix(8))  other"))
    #expect(try sandbox.items() == before)
    #expect(isSame(try sandbox.items().last?.text, text))
    #expect(try sandbox.run("doctor").exitCode == 0)
  }

  /// Case 2: an id is the item's for ever, also when it comes back.
  @Test(arguments: Program.fileEngines) func shareEditDeleteAndBack(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("text")
    let shared = try sandbox.items()
    try #require(try sandbox.run("edit", id, "--title", "new", "--tag", "t").exitCode == 0)
    let edited = try sandbox.items()
    try #require(try sandbox.run("delete", id).exitCode == 0)

    #expect(try sandbox.run("undo").stdout.contains("undid 'delete'"))
    #expect(try sandbox.items() == edited)
    #expect(try sandbox.run("undo").stdout.contains("undid 'edit'"))
    #expect(try sandbox.items() == shared)
    let last = try sandbox.run("undo")
    #expect(last.stdout.contains("undid 'share'") && last.lines.last?.hasPrefix("removed  \(id.suffix(8))") == true)
    #expect(try sandbox.items().isEmpty)
    let nothing = try sandbox.run("undo")
    #expect(nothing.exitCode == 1 && nothing.stdout == "" && nothing.stderr == "saver: there is nothing to undo\n")

    for expected in [shared, edited, []] {
      #expect(try sandbox.run("undo", "--redo").exitCode == 0)
      #expect(try sandbox.items() == expected)
    }
    let noRedo = try sandbox.run("undo", "--redo")
    #expect(noRedo.exitCode == 1 && noRedo.stderr == "saver: there is nothing to redo\n")
  }

  /// A bumped link goes back to its place, without its new tags.
  @Test(arguments: Program.fileEngines) func aBumpIsTakenBack(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("https://example.org/", "--tag", "a")
    try sandbox.share("other")
    let before = try sandbox.items()
    try sandbox.share("https://example.org/?utm_source=x", "--tag", "b")
    #expect(try sandbox.items() != before)
    #expect(try sandbox.run("undo").lines.last?.hasPrefix("changed  ") == true)
    #expect(try sandbox.items() == before)
    // Found as the same link again: what is derived from the text is right too.
    try sandbox.share("https://example.org/")
    #expect(try sandbox.items().count == 2)
  }

  @Test(arguments: Program.fileEngines) func theList(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    #expect(try sandbox.run("undo", "--list").stdout == "")
    #expect(sandbox.files.isEmpty)
    let id = try sandbox.share("a")
    try #require(try sandbox.run("share", "--lines", stdin: "b\nc\n").exitCode == 0)
    try #require(try sandbox.run("edit", id, "--title", "t").exitCode == 0)
    let list = try sandbox.run("undo", "--list")
    #expect(list.exitCode == 0 && list.stderr == "")
    #expect(
      list.lines.map { $0.split(separator: " ").dropFirst(3).joined(separator: " ") } == [
        "edit 1 changed", "share 2 added", "share 1 added",
      ])
    #expect(try sandbox.run("undo", "--list", "--limit", "1").lines.count == 1)
    let json = try sandbox.run("undo", "--list", "--format", "json")
    let operations = try #require(try JSONSerialization.jsonObject(with: json.output) as? [[String: Any]])
    #expect(operations.map { $0["name"] as? String } == ["edit", "share", "share"])
    #expect(operations[0]["updated"] as? [String] == [id] && operations[0]["possible"] as? Bool == true)
    #expect(try sandbox.run("undo", "--redo", "--list").stdout == "")
    let undone = try sandbox.run("undo", "--format", "json")
    let operation = try #require(try JSONSerialization.jsonObject(with: undone.output) as? [String: Any])
    #expect(operation["operation"] as? String == operations[0]["operation"] as? String)
    #expect(try sandbox.run("undo", "--redo", "--list").stdout.contains("undo of edit  1 changed"))
  }

  /// What another program has changed since is not overwritten.
  @Test(.enabled(if: Program.hasSQLiteShell)) func aConflict() throws {
    let sandbox = try CommandSandbox("sqlite")
    let ids = [try sandbox.share("a"), try sandbox.share("b")]
    try #require(try sandbox.run(["edit", ids[1], "--title", "t"]).exitCode == 0)
    try sandbox.sqlite("UPDATE item SET title = 'theirs' WHERE text = 'b'")
    let before = try sandbox.items()
    let outcome = try sandbox.run("undo")
    #expect(outcome.exitCode == 1 && outcome.stdout == "")
    #expect(
      outcome.stderr.hasPrefix("saver: 'edit' of ")
        && outcome.stderr.contains(
          "cannot be undone; nothing was changed\n  \(ids[1]) changed since by another program"),
      "\(outcome.stderr)")
    #expect(try sandbox.items() == before)
    #expect(try sandbox.run("undo", "--list").lines[0].hasSuffix("changed since by another program"))
    let json = try sandbox.run("undo", "--format", "json")
    #expect(json.exitCode == 1 && json.stderr.contains("\"code\":\"conflict\""))
    // Another row is no conflict.
    try #require(try sandbox.run(["edit", ids[0], "--title", "t"]).exitCode == 0)
    try sandbox.sqlite("UPDATE item SET title = 'again' WHERE text = 'b'")
    #expect(try sandbox.run("undo").exitCode == 0)
  }

  /// Each of many at once takes back another operation, and none twice.
  @Test(arguments: Program.fileEngines) func manyAtOnce(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for number in 0..<8 { try sandbox.share("item \(number)") }
    let outcomes = try (0..<8).map { _ in try sandbox.start(["undo"]) }.map { try $0.wait() }
    #expect(outcomes.allSatisfy { $0.exitCode == 0 && $0.stderr == "" })
    #expect(Set(outcomes.compactMap(\.lines.last)).count == 8)
    #expect(try sandbox.items().isEmpty)
  }

  /// The configuration decides how much can be taken back, and a larger operation says so before it begins.
  @Test(arguments: Program.fileEngines) func theHistorySettings(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let file = try sandbox.write("{ history: { keepChanges: 3 } }", to: sandbox.root + "/small.json5")
    sandbox.environment["SAVER_CONFIG"] = file
    let said = "4 items is more than the history keeps (history.keepChanges is 3): it cannot be undone\n"
    let shared = try sandbox.run("share", "--lines", stdin: "a\nb\nc\nd\n")
    #expect(shared.exitCode == 0 && shared.stderr == "saver: saving " + said)
    let deleted = try sandbox.run("delete", "--from", "2020-01-01", "--yes")
    #expect(deleted.exitCode == 0 && deleted.stderr == "saver: deleting " + said)
    #expect(try sandbox.run("share", "--lines", stdin: "a\nb\nc\n").stderr == "")

    let noRows = try sandbox.write("{ history: { keepRows: false } }", to: sandbox.root + "/rows.json5")
    let other = try CommandSandbox(engine)
    other.environment["SAVER_CONFIG"] = noRows
    let id = try other.share("secret")
    try #require(try other.run("delete", id).exitCode == 0)
    let undo = try other.run("undo")
    #expect(undo.exitCode == 1 && undo.stderr.contains("\(id) the history does not have its old content"))
    #expect(try other.items().isEmpty)
  }

  @Test(arguments: Program.fileEngines) func theHistoryIsTrimmed(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let file = try sandbox.write("{ history: { keepChanges: 10 } }", to: sandbox.root + "/small.json5")
    sandbox.environment["SAVER_CONFIG"] = file
    for number in 0..<140 { try sandbox.share("item \(number)") }
    let changes = try sandbox.run("changes", "--format", "jsonl").lines.count - 1
    #expect(changes >= 10 && changes < 140, "\(changes)")
    #expect(try sandbox.items().count == 140)
  }

  @Test func usage() throws {
    let sandbox = try CommandSandbox("sqlite")
    #expect(try sandbox.run("undo", "--limit", "3").exitCode == 64)
    #expect(try sandbox.run("undo", "abcd").exitCode == 64)
    #expect(try sandbox.run("undo").exitCode == 1)
    #expect(sandbox.files.isEmpty)
  }
}

extension Program {
  static let hasSQLiteShell = engines.contains("sqlite") && FileManager.default.fileExists(atPath: "/usr/bin/sqlite3")
}

extension CommandSandbox {
  /// Lets the sqlite3 shell do something to the store at the default place; what it prints.
  @discardableResult
  func sqlite(_ commands: String...) throws -> String {
    let outcome = try start(["-bail", storeFile("sqlite")] + commands, program: "/usr/bin/sqlite3").wait()
    try #require(outcome.exitCode == 0 && outcome.stderr == "", "\(outcome.stderr)")
    return outcome.stdout
  }
}

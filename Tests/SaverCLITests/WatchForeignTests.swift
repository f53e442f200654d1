import Foundation
import Glibc
import Testing

/// What other programs do to a store that is watched.
@Suite(.serialized, .enabled(if: Program.hasSQLiteShell)) struct WatchForeignTests {
  /// Case 26: row by row, each once; checkpoints are silent.
  @Test func theShell() throws {
    let sandbox = try CommandSandbox("sqlite")
    let id = try sandbox.share("ours")
    let watch = try WatchProcess(sandbox)
    try sandbox.sqlite("INSERT INTO item(text) VALUES ('theirs')")
    var events = try watch.lines(1)
    #expect(events[0].words == "inserted theirs")
    let theirs = try #require(events[0].id)
    try sandbox.sqlite("UPDATE item SET title = 'T' WHERE text = 'ours'")
    events = try watch.lines(2)
    #expect(events[1].words == "updated ours" && events[1].item?.title == "T" && events[1].id == id)
    try sandbox.sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
    try sandbox.sqlite("INSERT OR REPLACE INTO item(id, text) SELECT id, 'replaced' FROM item WHERE text = 'theirs'")
    events = try watch.lines(3)
    #expect(events[2].words == "updated replaced" && events[2].id == theirs)
    try sandbox.sqlite("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_checkpoint(PASSIVE)")
    try sandbox.sqlite("DELETE FROM item WHERE text = 'replaced'")
    events = try watch.lines(4)
    #expect(events[3].event == "deleted" && events[3].id == theirs)
    try sandbox.sqlite("PRAGMA wal_checkpoint(TRUNCATE)")
    // A transaction that is taken back, and one that changes nothing, are nothing.
    try sandbox.sqlite("BEGIN; INSERT INTO item(text) VALUES ('never'); ROLLBACK; UPDATE item SET text = text WHERE 0")
    let marker = try sandbox.share("marker")
    #expect(try watch.lines(5).last?.id == marker)
    #expect(try watch.end().lines.count == 6)
  }

  /// Case 27a: what goes past the simplest triggers.
  @Test func replacesByRowidAndChangedIDs() throws {
    let sandbox = try CommandSandbox("sqlite")
    let (first, second) = (try sandbox.share("first"), try sandbox.share("second"))
    let watch = try WatchProcess(sandbox, "--items")
    _ = try watch.lines(2)
    // One row is put in the place of another.
    try sandbox.sqlite(
      "INSERT OR REPLACE INTO item(rowid, text) SELECT rowid, 'by rowid' FROM item WHERE text = 'first'")
    var events = try watch.lines(4)
    #expect(Set(events[2...].map(\.words)) == ["deleted", "inserted by rowid"])
    #expect(events[2...].first { $0.event == "deleted" }?.id == first)
    // An id becomes another one.
    let id = "00112233-4455-4677-8899-aabbccddeeff"
    try sandbox.sqlite("UPDATE item SET id = x'00112233445546778899aabbccddeeff' WHERE text = 'second'")
    events = try watch.lines(6)
    #expect(Set(events[4...].map(\.event)) == ["deleted", "inserted"])
    #expect(Set(events[4...].map(\.id)) == [second, id])
    try watch.end()
    #expect(try sandbox.run("doctor").exitCode == 0)
  }

  /// Case 27a: without the triggers nothing is in the history, and the list is right all the same.
  @Test func pastTheTriggers() throws {
    let sandbox = try CommandSandbox("sqlite")
    for text in ["a", "b", "c"] { try sandbox.share(text) }
    let watch = try WatchProcess(sandbox, "--items")
    _ = try watch.lines(3)
    let triggers = try sandbox.sqlite("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'item'")
      .split(separator: "\n")
    #expect(!triggers.isEmpty)
    let drops = triggers.map { "DROP TRIGGER \($0);" }.joined(separator: " ")
    try sandbox.sqlite("\(drops) INSERT INTO item(text) VALUES ('silent'); DELETE FROM item WHERE text = 'a'")
    var events = try watch.lines(5)
    #expect(Set(events[3...].map(\.words)) == ["inserted silent", "deleted"])
    // Our next writer makes them again.
    try sandbox.share("ours")
    events = try watch.lines(6)
    #expect(events[5].words == "inserted ours")
    try sandbox.sqlite("UPDATE item SET title = 'logged' WHERE text = 'b'")
    events = try watch.lines(7)
    #expect(events[6].words == "updated b")
    try watch.end()
    #expect(WatchProcess.texts(try watch.lines).values.sorted() == ["b", "c", "ours", "silent"])
    #expect(try sandbox.run("doctor").exitCode == 0)
  }

  /// Case 27a: another store's content is put into this one.
  @Test func restoredByTheShell() throws {
    let sandbox = try CommandSandbox("sqlite")
    try sandbox.share("before")
    try sandbox.sqlite(".backup \(sandbox.root)/copy.sqlite")
    try sandbox.share("after")
    let watch = try WatchProcess(sandbox, "--items")
    _ = try watch.lines(2)
    try sandbox.sqlite(".restore \(sandbox.root)/copy.sqlite")
    // The store was put back: a reset, and what is there now.
    try eventually { try watch.lines.contains { $0.event == "reset" } && watch.lines.last?.event == "inserted" }
    let lines = try watch.lines.drop { $0.event != "reset" }
    #expect(lines.map(\.words) == ["reset", "snapshot", "inserted before"])
    try sandbox.share("goes on")
    try eventually { try watch.lines.last?.words == "inserted goes on" }
    try watch.end()
  }
}

/// Case 27: the store's file is replaced, or its folder goes.
@Suite(.serialized) struct WatchReplacedStoreTests {
  /// Another store with one item, closed, in the same sandbox; its path.
  private func otherStore(_ sandbox: CommandSandbox, _ engine: String, _ text: String) throws -> String {
    let base = sandbox.root + "/other/items"
    try #require(try sandbox.run("--store", base, "share", text).exitCode == 0)
    return base + "." + engine
  }

  @Test(arguments: Program.fileEngines) func replacedByRename(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("old")
    let other = try otherStore(sandbox, engine, "new")
    let watch = try WatchProcess(sandbox, "--items")
    _ = try watch.lines(1)
    try #require(rename(other, sandbox.storeFile(engine)) == 0)
    try eventually { try watch.lines.contains { $0.event == "reset" } && watch.lines.last?.event == "inserted" }
    let lines = try watch.lines.drop { $0.event != "reset" }
    #expect(lines.first?.reason == "otherStore")
    #expect(lines.map(\.words) == ["reset", "snapshot", "inserted new"])
    try sandbox.share("and on")
    try eventually("and on: \(watch.process.output)\(watch.process.diagnostics)") {
      try watch.lines.last?.words == "inserted and on"
    }
    #expect(Set(try sandbox.texts()) == ["new", "and on"])
    let outcome = try watch.process.end()
    #expect(outcome.exitCode == 0)
  }

  /// The folder is renamed away and back: trouble, once, and then the list is live again.
  @Test(arguments: Program.fileEngines) func theFolderGoesAndComesBack(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x")
    let watch = try WatchProcess(sandbox)
    let folder = sandbox.home + "/.local/share/saver"
    try #require(rename(folder, folder + ".away") == 0)
    eventually("trouble") { watch.process.diagnostics.contains("cannot be read at the moment") }
    try #require(rename(folder + ".away", folder) == 0)
    eventually("live again") { watch.process.diagnostics.contains("the list is live again") }
    try sandbox.share("y")
    try eventually { try watch.lines.last?.words == "inserted y" }
    let outcome = try watch.process.end()
    #expect(outcome.exitCode == 0 && outcome.stderr.split(separator: "\n").count == 2, "\(outcome.stderr)")
  }

  /// The folder is removed with all that is in it, and another store is made there.
  @Test(arguments: Program.fileEngines) func theFolderIsRemoved(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("old")
    let watch = try WatchProcess(sandbox, "--items")
    _ = try watch.lines(1)
    try FileManager.default.removeItem(atPath: sandbox.home + "/.local/share/saver")
    eventually("trouble") { watch.process.diagnostics.contains("cannot be read at the moment") }
    try sandbox.share("new")
    try eventually("another store: \(watch.process.output)\(watch.process.diagnostics)") {
      try watch.lines.last?.words == "inserted new"
    }
    let lines = try watch.lines.drop { $0.event != "reset" }
    #expect(lines.map(\.event).prefix(2) == ["reset", "snapshot"] && lines.first?.reason == "otherStore")
    #expect(try watch.process.end().exitCode == 0)
  }

  /// A log of the old store that still lies beside the new one would spoil it: refused, with the reason, by everyone.
  @Test(.enabled(if: Program.engines.contains("sqlite"))) func replacedBesideALog() throws {
    let sandbox = try CommandSandbox("sqlite")
    try sandbox.share("old")
    let other = try otherStore(sandbox, "sqlite", "new")
    let copy = sandbox.root + "/copy.sqlite"
    try FileManager.default.copyItem(atPath: other, toPath: copy)
    let watch = try WatchProcess(sandbox)
    // The watcher has the store open: the log stays when the writer closes it.
    try sandbox.share("in the log")
    _ = try watch.lines(1)
    let log = sandbox.storeFile("sqlite") + "-wal"
    let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
    try #require((size ?? 0) > 0)
    try #require(rename(other, sandbox.storeFile("sqlite")) == 0)
    eventually("trouble: \(watch.process.diagnostics)") {
      watch.process.diagnostics.contains("cannot be read at the moment")
    }
    let refused = try sandbox.run("share", "x")
    #expect(refused.exitCode == 69 && refused.stdout == "" && refused.stderr.contains("-wal"), "\(refused.stderr)")
    let stored = try Data(contentsOf: URL(fileURLWithPath: sandbox.storeFile("sqlite")))
    #expect(stored == (try Data(contentsOf: URL(fileURLWithPath: copy))))
    try #require(unlink(log) == 0)
    unlink(sandbox.storeFile("sqlite") + "-shm")
    try eventually("the new store: \(watch.process.output)\(watch.process.diagnostics)") {
      try watch.lines.last { $0.event == "snapshot" }?.count == 1 && watch.lines.contains { $0.event == "reset" }
    }
    #expect(try sandbox.texts() == ["new"])
    #expect(try watch.process.end().exitCode == 0)
  }
}

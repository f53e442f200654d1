import Foundation
import Glibc
import Testing

/// `backup`, `restore`, `compact` and `forget`.
@Suite struct MaintenanceCommandTests {
  private func traces(of text: String, in sandbox: CommandSandbox, _ engine: String) -> [String] {
    let folder = (sandbox.storeFile(engine) as NSString).deletingLastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().filter { name in
      let data = (try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))) ?? Data()
      return data.firstRange(of: Data(text.utf8)) != nil
    }
  }

  @Test(arguments: Program.fileEngines) func backupAndRestore(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("one", "--title", "T", "--tag", "x")
    try sandbox.share("two")
    let before = try sandbox.items()
    let outcome = try sandbox.run("backup", "copy")
    let path = "copy." + engine
    #expect(outcome.exitCode == 0 && outcome.stderr == "")
    #expect(outcome.stdout.hasPrefix("backed up to \(path), ") && outcome.stdout.hasSuffix(" bytes\n"))
    #expect(CommandSandbox.mode(sandbox.folder + "/" + path) == 0o600)
    // It is a store of its own.
    let opened = try sandbox.run("list", "--all", "--format", "json", "--store", sandbox.folder + "/copy")
    #expect(try ListedItem.array(opened.output) == before)
    for name in ["-lock", "-writer", "-notify"] { unlink(sandbox.folder + "/" + path + name) }

    try sandbox.share("three")
    _ = try sandbox.run("delete", before[0].id)
    let refused = try sandbox.run("restore", "copy")
    #expect(refused.exitCode == 1 && refused.stdout == "" && refused.stderr.contains("--force"))
    #expect(try sandbox.texts() == ["three", "one"])
    let restored = try sandbox.run("restore", "copy", "--force")
    #expect(restored.exitCode == 0 && restored.stderr == "" && restored.stdout == "restored 2 items from \(path)\n")
    #expect(try sandbox.items() == before)
    #expect(try sandbox.run("doctor").exitCode == 0)
    // Into a store that is not there yet.
    let fresh = sandbox.folder + "/fresh"
    let json = try sandbox.run("restore", path, "--store", fresh, "--format", "json")
    #expect(json.exitCode == 0 && json.stdout == "{\"path\":\"\(path)\",\"count\":2}\n", "\(json.stderr)")
    let list = try sandbox.run("list", "--all", "--format", "json", "--store", fresh)
    #expect(try ListedItem.array(list.output) == before)
  }

  @Test(arguments: Program.fileEngines) func nothingIsOverwritten(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("one")
    let path = sandbox.folder + "/copy." + engine
    try sandbox.write("precious", to: path)
    let refused = try sandbox.run("backup", path)
    #expect(refused.exitCode == 73 && refused.stdout == "" && refused.stderr.contains("--force"), "\(refused.stderr)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    let json = try sandbox.run("backup", path, "--format", "json")
    #expect(json.exitCode == 73 && json.stderr.hasPrefix("{\"error\":{\"code\":\"fileExists\",\"message\":"))
    let forced = try sandbox.run("backup", path, "--force", "--format", "json")
    #expect(forced.exitCode == 0 && forced.stdout.hasPrefix("{\"path\":\"\(path)\",\"size\":"))
    // The store itself, by its own name and by another.
    let alias = sandbox.folder + "/alias." + engine
    try #require(link(sandbox.storeFile(engine), alias) == 0)
    for name in [sandbox.storeFile(engine), alias] {
      #expect(try sandbox.run("backup", name, "--force").exitCode == 73)
    }
    // A link is replaced, not followed.
    let linked = sandbox.folder + "/link." + engine
    try sandbox.write("precious", to: sandbox.folder + "/victim")
    try #require(symlink(sandbox.folder + "/victim", linked) == 0)
    #expect(try sandbox.run("backup", linked).exitCode == 73)
    #expect(try sandbox.run("backup", linked, "--force").exitCode == 0)
    #expect(try String(contentsOfFile: sandbox.folder + "/victim", encoding: .utf8) == "precious")
    #expect(try sandbox.run("backup", sandbox.folder + "/nowhere/copy").exitCode == 73)
    #expect(try sandbox.texts() == ["one"])
    #expect(sandbox.files.filter { $0.contains(".new-") } == [])
  }

  @Test(arguments: Program.fileEngines) func whatCannotBeRestored(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let missing = try sandbox.run("restore", "nothing")
    #expect(missing.exitCode == 66 && missing.stderr.contains("nothing.\(engine)"))
    #expect(sandbox.files.isEmpty, "a store was made for a file that is not there")
    #expect(try sandbox.run("backup", "copy").exitCode == 66)
    #expect(try sandbox.run("compact").exitCode == 66)
    #expect(sandbox.files.isEmpty)
    try sandbox.share("one")
    try sandbox.write("some text", to: sandbox.folder + "/text")
    #expect(try sandbox.run("restore", "text", "--force").exitCode == 69)
    for other in Program.fileEngines where other != engine {
      let copied = try sandbox.run(["share", "of another engine", "--backend", other])
      try #require(copied.exitCode == 0)
      try #require(try sandbox.run("backup", "other", "--backend", other).exitCode == 0)
      let refused = try sandbox.run("restore", "other." + other, "--force")
      #expect(refused.exitCode == 69 && refused.stderr.contains("no backup"), "\(refused.stderr)")
    }
    #expect(try sandbox.texts() == ["one"])
    #expect(try sandbox.run("restore").exitCode == 64)
    #expect(try sandbox.run("backup").exitCode == 64)
    #expect(try sandbox.run("backup", "").exitCode == 64)
    #expect(try sandbox.run("forget").exitCode == 64)
    #expect(try sandbox.run("forget", "abc").exitCode == 64)
  }

  @Test(arguments: Program.fileEngines) func aRestoreIsWatched(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("one")
    try #require(try sandbox.run("backup", "copy").exitCode == 0)
    let second = try sandbox.share("two")
    let watch = try WatchProcess(sandbox)
    try #require(try sandbox.run("restore", "copy", "--force").exitCode == 0)
    let lines = try watch.lines(2)
    #expect(lines.map(\.event).prefix(2) == ["reset", "snapshot"] && lines[0].reason == "otherBranch")
    #expect(lines[1].count == 1)
    // What is said behind it belongs to the restored store.
    try #require(try sandbox.run("delete", id).exitCode == 0)
    let deleted = try watch.lines(1, behind: 3)
    #expect(deleted.first?.event == "deleted" && deleted.first?.id == id)
    #expect(try sandbox.run("show", second).exitCode == 1)
    try watch.end()
  }

  @Test(arguments: Program.fileEngines) func forgottenTextIsGone(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let other = try sandbox.share("kept text", "--tag", "kept")
    let id = try sandbox.share("canary one sings", "--title", "canary two sings", "--tag", "canary-three")
    try #require(try sandbox.run("edit", id, "--text", "canary four sings").exitCode == 0)
    let deleted = try sandbox.share("canary five sings")
    try #require(try sandbox.run("delete", deleted).exitCode == 0)
    #expect(!traces(of: "canary", in: sandbox, engine).isEmpty)

    let watch = try WatchProcess(sandbox)
    let both = try sandbox.run("forget", String(id.suffix(8)), deleted)
    #expect(both.exitCode == 0 && both.stderr == "" && both.lines == ["forgot  \(id)", "forgot  \(deleted)"])
    #expect(try watch.lines(1).first?.event == "deleted")
    #expect(traces(of: "canary", in: sandbox, engine) == [])
    try watch.end()
    #expect(try sandbox.texts() == ["kept text"])
    #expect(try sandbox.run("doctor").exitCode == 0)
    // Nothing brings it back; what was done to others can be undone.
    let undone = try sandbox.run("undo")
    #expect(undone.stdout.contains("removed  \(other.suffix(8))"), "\(undone.stdout)\(undone.stderr)")
    #expect(try sandbox.run("undo").exitCode == 1)
    #expect(try sandbox.items().isEmpty)

    let again = try sandbox.run("forget", id, "--format", "json")
    #expect(again.exitCode == 0 && again.stdout == "{\"forgotten\":[\"\(id)\"],\"remainder\":null}\n")
    // All or nothing; and only a whole id finds what is in the history alone.
    let third = try sandbox.share("third")
    for unknown in [String(id.suffix(8)), "00000000000000000000000000000000", "ffff"] {
      #expect(try sandbox.run("forget", third, unknown).exitCode == 1)
    }
    #expect(try sandbox.texts() == ["third"])
  }

  /// An operation that has lost the old content of one of its items is not undone in part.
  @Test(arguments: Program.fileEngines) func anOperationThatWasForgottenInPart(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let ids = try (1...3).map { try sandbox.share("item \($0)") }
    try #require(try sandbox.run(["delete"] + ids).exitCode == 0)
    try #require(try sandbox.run("forget", ids[1]).exitCode == 0)
    let refused = try sandbox.run("undo")
    #expect(refused.exitCode == 1 && refused.stderr.contains("\(ids[1]) was forgotten"), "\(refused.stderr)")
    #expect(try sandbox.items().isEmpty)
    #expect(try sandbox.run("undo", "--list").stdout.contains("was forgotten"))
  }

  @Test(arguments: Program.fileEngines) func compacting(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let lines = (0..<400).map { "line \($0) " + String(repeating: "x", count: 2_000) }.joined(separator: "\n")
    try #require(try sandbox.run("share", "--lines", stdin: lines).exitCode == 0)
    try sandbox.share("kept")
    try #require(try sandbox.run("delete", "--search", "line", "--yes").exitCode == 0)
    let watch = try WatchProcess(sandbox)
    let outcome = try sandbox.run("compact", "--format", "json")
    #expect(outcome.exitCode == 0 && outcome.stderr == "")
    let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    let (before, after) = (try #require(report["bytesBefore"] as? Int), try #require(report["bytesAfter"] as? Int))
    #expect(after < before && report["remainder"] is NSNull)
    #expect(try sandbox.texts() == ["kept"])
    #expect(try sandbox.run("doctor").exitCode == 0)
    try sandbox.share("later")
    #expect(try watch.lines(1).map(\.words) == ["inserted later"])
    try watch.end()
    let plain = try sandbox.run("compact")
    #expect(plain.exitCode == 0 && plain.stdout.contains(" bytes before, "))
    #expect(try sandbox.run("undo").exitCode == 0)
  }

  /// What takes longer than a moment says so on a terminal; the words are gone before anything else is said.
  @Test(arguments: Program.fileEngines) func patienceOnATerminal(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("one")
    let lock = open(sandbox.storeFile(engine) + "-writer", O_RDWR | O_CLOEXEC)
    try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
    let terminal = try TerminalProcess(sandbox, ["compact"], columns: 80, rows: 24)
    terminal.expect("compacting the store …")
    close(lock)
    terminal.expect("bytes now")
    let note = try #require(terminal.output.range(of: "…"))
    let behind = terminal.output[note.upperBound...]
    #expect(behind.hasPrefix("\r ") && behind.contains(" \r"), "\(behind.debugDescription)")
    #expect(try terminal.wait() == 0)
  }

  @Test(.enabled(if: Program.engines.contains("memory"))) func theMemoryEngineHasNoBackups() throws {
    let sandbox = try CommandSandbox("memory")
    #expect(try sandbox.run("backup", "copy").exitCode == 69)
    #expect(try sandbox.run("restore", "copy").exitCode == 69)
    #expect(try sandbox.run("compact").exitCode == 0)
    #expect(sandbox.files.isEmpty)
  }
}

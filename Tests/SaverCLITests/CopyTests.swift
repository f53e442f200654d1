import Foundation
import Glibc
import Testing

/// `copy --to`: between all engines that keep what they are given.
@Suite struct CopyTests {
  private static let pairs = Program.fileEngines.flatMap { from in Program.fileEngines.map { (from, $0) } }

  /// A store of items that are hard to keep, at `--store a`.
  private func filled(_ engine: String) throws -> CommandSandbox {
    let sandbox = try CommandSandbox(engine)
    for (number, text) in ListFormatsTests.hostile.enumerated() where !text.contains("\0") {
      let created = number % 2 == 0 ? ["--created", "2025-0\(number % 9 + 1)-01T01:02:03.456Z"] : []
      let outcome = try sandbox.run(
        ["--store", "a", "share", "--duplicates", "keep", "--tag", "t\(number % 3)", "--tag", text, "--title", text]
          + created + ["--", text])
      try #require(outcome.exitCode == 0, "\(outcome.stderr)")
    }
    try #require(try sandbox.run(["--store", "a", "share", "-"], stdin: Data("nul\0and more".utf8)).exitCode == 0)
    return sandbox
  }

  private func list(_ sandbox: CommandSandbox, _ options: [String]) throws -> Data {
    let outcome = try sandbox.run(options + ["list", "--all", "--format", "json", "--sort", "id"])
    try #require(outcome.exitCode == 0, "\(outcome.stderr)")
    return outcome.output
  }

  /// Case 2: ids, texts, tags and dates survive the way to the other engine and back.
  @Test(arguments: pairs) func thereAndBack(from: String, to: String) throws {
    let sandbox = try filled(from)
    let items = try list(sandbox, ["--store", "a"])
    let there = try sandbox.run("--store", "a", "copy", "--to", "\(to):b", "--format", "json")
    try #require(there.exitCode == 0 && there.stderr == "", "\(there.stderr)")
    let report = try #require(try JSONSerialization.jsonObject(with: there.output) as? [String: Any])
    #expect(Set(report.keys) == ["backend", "store", "identity", "replaced", "items", "digest"])
    #expect(report["backend"] as? String == to && report["replaced"] as? Bool == false)
    #expect((report["store"] as? String)?.hasSuffix("/work/b.\(to)") == true)
    #expect(report["items"] as? Int == (try ListedItem.array(items)).count)
    #expect(try list(sandbox, ["--backend", to, "--store", "b"]) == items)

    let back = try sandbox.run("--backend", to, "--store", "b", "copy", "--to", "\(from):c.\(from)")
    #expect(back.exitCode == 0, "\(back.stderr)")
    let digest = try #require(report["digest"] as? String)
    #expect(digest.count == 64 && back.stdout.contains(digest))
    #expect(try list(sandbox, ["--store", "c"]) == items)
    for (engine, store) in [(to, "b"), (from, "c")] {
      #expect(try sandbox.run("--backend", engine, "--store", store, "doctor").exitCode == 0)
      for file in sandbox.files where file.contains("/work/\(store).") {
        #expect(CommandSandbox.mode(file) == 0o600, "\(file)")
      }
    }
    #expect(!sandbox.files.contains { $0.contains(".new-") })
  }

  /// Without a path, it lies beside the store under the other engine's ending; whether the store is named with its own or
  /// without.
  @Test(.enabled(if: Program.fileEngines.count > 1), arguments: ["a", "a.sqlite"])
  func besideTheStore(store: String) throws {
    let sandbox = try CommandSandbox("sqlite")
    try #require(try sandbox.run("--store", store, "share", "x").exitCode == 0)
    let outcome = try sandbox.run("--store", store, "copy", "--to", "lmdb")
    #expect(outcome.exitCode == 0 && outcome.stdout.contains("/work/a.lmdb"), "\(outcome.stderr)")
    #expect(outcome.lines.last?.hasPrefix("verified   1 item, SHA-256 ") == true)
    #expect(try sandbox.run("--backend", "lmdb", "--store", "a", "list", "--count").stdout == "1\n")
  }

  @Test(arguments: pairs) func whatIsThereIsNotTouchedWithoutForce(from: String, to: String) throws {
    let sandbox = try filled(from)
    let other = ["--backend", to, "--store", "b"]
    try #require(try sandbox.run(other + ["share", "precious"]).exitCode == 0)
    let before = try list(sandbox, other)
    let refused = try sandbox.run("--store", "a", "copy", "--to", "\(to):b")
    #expect(refused.exitCode == 73 && refused.stdout == "")
    #expect(refused.stderr.contains("/work/b.\(to)") && refused.stderr.contains("--force"), "\(refused.stderr)")
    #expect(try list(sandbox, other) == before)

    let forced = try sandbox.run("--store", "a", "copy", "--force", "--to", "\(to):b")
    #expect(forced.exitCode == 0 && forced.stdout.contains("replaced"), "\(forced.stderr)")
    #expect(try list(sandbox, other) == (try list(sandbox, ["--store", "a"])))
    #expect(try sandbox.run(other + ["undo"]).exitCode == 0)
    #expect(try list(sandbox, other) == before)
    #expect(try sandbox.run(other + ["doctor"]).exitCode == 0)
  }

  /// A file that is no store, a folder, and links: with `--force` or without, they stay what they are.
  @Test(arguments: pairs) func whatIsNoStoreIsNeverReplaced(from: String, to: String) throws {
    let sandbox = try CommandSandbox(from)
    try #require(try sandbox.run("--store", "a", "share", "x").exitCode == 0)
    let folder = sandbox.folder
    try sandbox.write("a letter\n", to: folder + "/letter.\(to)")
    try sandbox.makeFolder(folder + "/folder.\(to)")
    symlink("/nowhere/at/all", folder + "/lost.\(to)")
    symlink("letter.\(to)", folder + "/link.\(to)")
    for name in ["letter", "folder", "lost", "link"] {
      for options in [[], ["--force"]] {
        let outcome = try sandbox.run(["--store", "a", "copy", "--to", "\(to):\(name)"] + options)
        #expect([69, 73].contains(outcome.exitCode), "\(name) \(options): \(outcome.exitCode) \(outcome.stderr)")
        let isNamed = outcome.stderr.contains("/\(name).\(to)") || name == "link" && outcome.stderr.contains("/letter.")
        #expect(isNamed, "\(outcome.stderr)")
      }
    }
    #expect(try String(contentsOfFile: folder + "/letter.\(to)", encoding: .utf8) == "a letter\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/folder.\(to)").isEmpty)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/lost.\(to)") == "/nowhere/at/all")
    #expect(!FileManager.default.fileExists(atPath: "/nowhere"))
    #expect(try sandbox.run("--store", "a", "list", "--count").stdout == "1\n")
  }

  /// A link in the way to the folder is followed; one to the store itself is found out.
  @Test(arguments: Program.fileEngines) func linksAndOtherNames(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try #require(try sandbox.run("--store", "a", "share", "x").exitCode == 0)
    try sandbox.makeFolder(sandbox.folder + "/real")
    symlink("real", sandbox.folder + "/way")
    #expect(try sandbox.run("--store", "a", "copy", "--to", "\(engine):way/b").exitCode == 0)
    #expect(FileManager.default.fileExists(atPath: sandbox.folder + "/real/b.\(engine)"))
    symlink("a.\(engine)", sandbox.folder + "/alias.\(engine)")
    link(sandbox.folder + "/a.\(engine)", sandbox.folder + "/twin.\(engine)")
    for name in ["a", "./a", "real/../a.\(engine)", "alias", "twin", "way/../a"] {
      let outcome = try sandbox.run("--store", "a", "copy", "--force", "--to", "\(engine):\(name)")
      #expect(outcome.exitCode == 78 && outcome.stderr.contains("itself"), "\(name): \(outcome.stderr)")
    }
    #expect(try sandbox.run("--store", "a", "list", "--count").stdout == "1\n")
  }

  @Test(arguments: Program.fileEngines) func usage(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for (arguments, code, word) in [
      (["copy"], 64, "--to"), (["copy", "--to", "oracle"], 64, engine), (["copy", "--to", ":x"], 64, "backend"),
      (["copy", "--to", "\(engine):"], 64, "path"), (["copy", "--to", "memory"], 64, "forgets"),
      (["copy", "--to", "\(engine):b"], 66, "no \(engine) store"),
    ] as [([String], Int32, String)] {
      let outcome = try sandbox.run(arguments)
      #expect(outcome.exitCode == code && outcome.stderr.contains(word), "\(arguments): \(outcome.stderr)")
    }
    #expect(sandbox.files.isEmpty)
    try sandbox.share("x")
    let missing = try sandbox.run("copy", "--to", "\(engine):/dev/null/x/y")
    #expect(missing.exitCode == 73 && missing.stderr.contains("/dev/null"), "\(missing.stderr)")
    #expect(try sandbox.run("copy", "--to", "\(engine):~/deep/er/b").exitCode == 0)
    #expect(CommandSandbox.mode(sandbox.home + "/deep/er") == 0o700)
  }

  /// Killed at a random instant: the copy is whole or not there, and the next one is made and tidies up.
  @Test(arguments: pairs) func killed(from: String, to: String) throws {
    let sandbox = try CommandSandbox(from)
    let input = Data((0..<4_000).map { "item \($0) \(String(repeating: "x", count: 100))\n" }.joined().utf8)
    try #require(try sandbox.run(["--store", "a", "share", "--lines"], stdin: input).exitCode == 0)
    let seed = UInt64.random(in: 0 ... .max)
    print("CopyTests.killed seed: \(seed)")
    var generator = SeededNumbers(seed)
    var killed = 0
    for round in 0..<12 {
      let process = try sandbox.start(["--store", "a", "copy", "--to", "\(to):b"])
      usleep(UInt32(generator.next() % 400_000))
      process.signal(SIGKILL)
      let outcome = try process.wait()
      let isThere = FileManager.default.fileExists(atPath: sandbox.folder + "/b.\(to)")
      if outcome.exitCode == 0 { #expect(isThere) }
      if outcome.exitCode != 0 { killed += 1 }
      if isThere {
        let count = try sandbox.run("--backend", to, "--store", "b", "list", "--count")
        #expect(count.stdout == "4000\n", "round \(round): \(count.stderr)")
        for file in sandbox.files where file.contains("/work/b.") { unlink(file) }
      }
    }
    #expect(killed > 0)
    #expect(try sandbox.run("--store", "a", "copy", "--to", "\(to):b").exitCode == 0)
    #expect(!sandbox.files.contains { $0.contains(".new-") }, "\(sandbox.files)")
    #expect(try sandbox.run("--backend", to, "--store", "b", "doctor").exitCode == 0)
  }

  /// INT and TERM leave nothing: not even what a kill leaves for the next one.
  @Test(arguments: Program.fileEngines, [SIGINT, SIGTERM]) func interrupted(engine: String, signal: Int32) throws {
    let sandbox = try CommandSandbox(engine)
    let input = Data((0..<8_000).map { "item \($0)\n" }.joined().utf8)
    try #require(try sandbox.run(["--store", "a", "share", "--lines"], stdin: input).exitCode == 0)
    let process = try sandbox.start(["--store", "a", "copy", "--to", "\(engine):b"])
    eventually("the folder in which the copy is built") { sandbox.files.contains { $0.contains(".new-") } }
    for file in sandbox.files where file.contains(".new-") {
      let isFolder = file.hasPrefix(sandbox.folder + "/.b.") && !file.dropFirst(sandbox.folder.count + 1).contains("/")
      // Nobody else reads what is being made, either; some of it is gone by now.
      if let mode = CommandSandbox.mode(file) { #expect(mode == (isFolder ? 0o700 : 0o600), "\(file)") }
    }
    let outcome = try process.end(signal)
    #expect(outcome.exitCode == 1 && outcome.stderr.contains("interrupted"), "\(outcome.stderr)")
    #expect(outcome.stdout == "")
    #expect(!sandbox.files.contains { $0.contains(".new-") || $0.hasSuffix("/b.\(engine)") }, "\(sandbox.files)")
  }

  /// Others write meanwhile: the copy is of one moment, and nobody waits for it.
  @Test(arguments: Program.fileEngines) func whileOthersWrite(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let input = Data((0..<4_000).map { "item \($0)\n" }.joined().utf8)
    try #require(try sandbox.run(["--store", "a", "share", "--lines"], stdin: input).exitCode == 0)
    let process = try sandbox.start(["--store", "a", "copy", "--to", "\(engine):b", "--format", "json"])
    eventually("the folder in which the copy is built") { sandbox.files.contains { $0.contains(".new-") } }
    for number in 0..<5 {
      #expect(try sandbox.run("--store", "a", "share", "later \(number)").exitCode == 0)
    }
    let outcome = try process.wait()
    #expect(outcome.exitCode == 0, "\(outcome.stderr)")
    // The folder is there a moment before the snapshot.
    let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    let count = try #require(report["items"] as? Int)
    #expect((4_000...4_005).contains(count))
    #expect(try sandbox.run("--store", "b", "list", "--count").stdout == "\(count)\n")
    #expect(try sandbox.run("--store", "a", "list", "--count").stdout == "4005\n")
  }

  @Test(arguments: Program.fileEngines) func progressOnATerminal(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let input = Data((0..<8_000).map { "item \($0)\n" }.joined().utf8)
    try #require(try sandbox.run(["--store", "a", "share", "--lines"], stdin: input).exitCode == 0)
    let terminal = try TerminalProcess(
      sandbox, ["--store", "a", "copy", "--to", "\(engine):b"], columns: 80, rows: 24)
    terminal.expect(" of 8000")
    terminal.expect("verified")
    #expect(terminal.output.contains("\rcopying "))
    // The line is gone before anything else is said.
    let last = try #require(terminal.output.range(of: " of 8000", options: .backwards))
    let behind = terminal.output[last.upperBound...]
    #expect(behind.hasPrefix("\r ") && behind.contains(" \r"), "\(behind.debugDescription)")
    #expect(try terminal.wait() == 0)
  }

  /// A full disk: an error, nothing in place, and the store as it was; only where a file system can be mounted.
  @Test(arguments: Program.fileEngines) func aFullDisk(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let input = Data((0..<2_000).map { "item \($0) \(String(repeating: "x", count: 1_000))\n" }.joined().utf8)
    try #require(try sandbox.run(["--store", "a", "share", "--lines"], stdin: input).exitCode == 0)
    let disk = sandbox.root + "/disk"
    try sandbox.makeFolder(disk)
    let mounted = try sandbox.shell("mount -t tmpfs -o size=1m tmpfs \(disk)")
    guard mounted.exitCode == 0 else {
      print("not tested: a full disk: \(mounted.stderr)")
      return
    }
    defer { _ = try? sandbox.shell("umount -l \(disk)") }
    let full = try sandbox.run("--store", "a", "copy", "--to", "\(engine):\(disk)/b")
    #expect(full.exitCode == 74 && full.stdout == "" && full.stderr.contains("\(disk)/b"), "\(full.stderr)")
    #expect(!full.stderr.contains(".new-"), "\(full.stderr)")
    let left = try FileManager.default.contentsOfDirectory(atPath: disk).filter { !$0.hasSuffix("-writer") }
    #expect(left == [])
    #expect(try sandbox.run("--store", "a", "list", "--count").stdout == "2000\n")
  }
}

/// A generator that can be repeated (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

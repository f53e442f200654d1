import Foundation
import Glibc
import Testing

/// What is saved is its owner's: modes whatever the umask, no text in messages, and no file written to that is not ours.
@Suite struct PrivacyTests {
  /// While the store is open, so that every file is there that an engine makes.
  @Test(arguments: Program.fileEngines, ["000", "022", "077"]) func modes(engine: String, mask: String) throws {
    let sandbox = try CommandSandbox(engine)
    let base = sandbox.folder + "/new/deep/items"
    let script =
      "umask \(mask); \"$saver\" --store \(base) share x && exec \"$saver\" --store \(base) watch --format jsonl"
    let watch = try sandbox.start(["-c", script], program: "/bin/sh")
    eventually("the snapshot") { watch.output.contains("snapshot") }
    let writing =
      "umask \(mask); \"$saver\" --store \(base) share y; \"$saver\" --store \(base) copy --to \(engine):\(base)2"
    #expect(try sandbox.shell(writing).exitCode == 0)
    let files = sandbox.files.filter { $0.hasPrefix(sandbox.folder + "/new/deep/") }
    let endings =
      engine == "sqlite" ? ["", "-wal", "-shm", "-writer", "-notify"] : ["", "-lock", "-writer", "-notify"]
    for ending in endings { #expect(files.contains("\(base).\(engine)\(ending)"), "\(ending)") }
    for file in files { #expect(CommandSandbox.mode(file) == 0o600, "\(file)") }
    for folder in ["/new", "/new/deep"] { #expect(CommandSandbox.mode(sandbox.folder + folder) == 0o700) }
    #expect(try watch.end().exitCode == 0)
  }

  /// A link into a folder that is missing, on a disk that is not mounted, say, is not replaced by a new store.
  @Test(arguments: Program.fileEngines) func aLinkThatLeadsNowhere(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let link = sandbox.folder + "/items.\(engine)"
    symlink(sandbox.folder + "/away/items.\(engine)", link)
    for command in [["share", "x"], ["watch"], ["list"]] {
      let outcome = try sandbox.run(["--store", sandbox.folder + "/items"] + command)
      #expect(outcome.exitCode == (command == ["list"] ? 0 : 73), "\(command): \(outcome.stderr)")
      if command != ["list"] { #expect(outcome.stderr.contains("a folder that is missing"), "\(outcome.stderr)") }
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == sandbox.folder + "/away/items.\(engine)")
    try sandbox.makeFolder(sandbox.folder + "/away")
    try #require(try sandbox.run(["--store", sandbox.folder + "/away/items", "share", "there"]).exitCode == 0)
    #expect(try sandbox.run(["--store", sandbox.folder + "/items", "share", "here"]).exitCode == 0)
    #expect(try sandbox.run(["--store", sandbox.folder + "/away/items", "list", "--count"]).stdout == "2\n")
  }

  /// Files of ours that are links to files of somebody's, or are theirs: these are not written to.
  @Test(arguments: Program.fileEngines, [false, true]) func linksInThePlaceOfOurFiles(engine: String, exists: Bool)
    throws
  {
    let sandbox = try CommandSandbox(engine)
    let base = sandbox.folder + "/items"
    if exists { try #require(try sandbox.run(["--store", base, "share", "x"]).exitCode == 0) }
    let letter = try sandbox.write("dear reader\n", to: sandbox.folder + "/letter")
    let nothing = sandbox.folder + "/nothing"
    for ending in ["-writer", "-notify"] {
      for target in [letter, nothing] {
        unlink("\(base).\(engine)\(ending)")
        symlink(target, "\(base).\(engine)\(ending)")
        let outcome = try sandbox.run(["--store", base, "share", "y"])
        if ending == "-writer" {
          #expect(outcome.exitCode == 73 && outcome.stderr.contains("no lock file"), "\(outcome.stderr)")
        }
        #expect(try String(contentsOfFile: letter, encoding: .utf8) == "dear reader\n")
        #expect(!FileManager.default.fileExists(atPath: nothing))
      }
      unlink("\(base).\(engine)\(ending)")
    }
    let long = String(repeating: "a long letter\n", count: 20)
    try sandbox.write(long, to: "\(base).\(engine)-writer")
    #expect(try sandbox.run(["--store", base, "share", "y"]).exitCode == 73)
    #expect(try String(contentsOfFile: "\(base).\(engine)-writer", encoding: .utf8) == long)
  }

  /// No message says what somebody has saved.
  @Test(arguments: Program.fileEngines) func noTextInMessages(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let secret = "https://example.org/s3cr3t"
    let id = try sandbox.share(secret, "--title", "s3cr3t title", "--tag", "s3cr3t")
    var said: [Outcome] = []
    said.append(try sandbox.run("share", "--duplicates", "reject", secret))
    said.append(try sandbox.run("share", secret))
    said.append(try sandbox.run("copy", "--to", "\(engine):copy"))
    said.append(try sandbox.run("copy", "--to", "\(engine):copy"))
    said.append(try sandbox.run("doctor"))
    said.append(try sandbox.run("doctor", "--repair", "--format", "json"))
    said.append(try sandbox.run("changes"))
    said.append(try sandbox.run("delete", id, "ffffffff"))
    if engine == "sqlite", Program.hasSQLiteShell {
      try sandbox.sqlite(
        "INSERT INTO item(text) VALUES (CAST(x'733363723374ff' AS TEXT))", "UPDATE item SET duplicate_key = 's3cr3t'")
      said.append(try sandbox.run("doctor"))
      said.append(try sandbox.run("list", "--format", "json"))
      said.append(try sandbox.run("copy", "--to", "\(engine):other"))
      #expect(said.suffix(3).map(\.exitCode) == [1, 65, 65])
    }
    for outcome in said.dropLast() { #expect(!outcome.stderr.contains("s3cr3t"), "\(outcome.stderr)") }
    for outcome in said where !outcome.stdout.hasPrefix("[") { #expect(!outcome.stdout.contains("s3cr3t")) }
  }
}

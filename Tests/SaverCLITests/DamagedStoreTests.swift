import Foundation
import Testing

/// Case 28: a store that is none is an error that names it, and stays as it is.
@Suite struct DamagedStoreTests {
  /// Every command that opens the store says so; the file does not change.
  private func expectRefusal(
    _ sandbox: CommandSandbox, _ file: String, _ comment: Comment, codes: Set<Int32> = [69]
  ) throws {
    let before = FileManager.default.contents(atPath: file)
    for arguments in [["list"], ["share", "x"], ["show", "abcd"], ["delete", "abcd"], ["list", "--count"]] {
      let outcome = try sandbox.run(arguments)
      #expect(codes.contains(outcome.exitCode) && outcome.stdout == "", "\(comment) \(arguments): \(outcome.exitCode)")
      #expect(outcome.stderr.contains(file), "\(comment) \(arguments): \(outcome.stderr)")
    }
    let doctor = try sandbox.run("doctor")
    #expect(doctor.exitCode == 1 || codes.contains(doctor.exitCode), "\(comment)")
    #expect(FileManager.default.contents(atPath: file) == before, "\(comment)")
  }

  private func store(_ engine: String) throws -> (CommandSandbox, String) {
    let sandbox = try CommandSandbox(engine)
    try #require(
      try sandbox.run(
        ["share", "--lines"], stdin: Data((1...500).map { "item number \($0)\n" }.joined().utf8)
      ).exitCode == 0)
    // A log that the last process left would mend the file: all must be in the file itself.
    let file = sandbox.storeFile(engine)
    for _ in 0..<100 where FileManager.default.fileExists(atPath: file + "-wal") { _ = try sandbox.run("list") }
    try #require(!FileManager.default.fileExists(atPath: file + "-wal"))
    return (sandbox, file)
  }

  @Test(arguments: Program.fileEngines) func randomBytes(engine: String) throws {
    let (sandbox, file) = try store(engine)
    let seed = UInt64.random(in: 0 ... .max)
    var state = seed
    let bytes = (0..<10_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try expectRefusal(sandbox, file, "seed \(seed)")
  }

  @Test(arguments: Program.fileEngines) func textFile(engine: String) throws {
    let (sandbox, file) = try store(engine)
    try sandbox.write("just a note\n", to: file)
    try expectRefusal(sandbox, file, "a note")
  }

  @Test(arguments: Program.fileEngines) func zeroLength(engine: String) throws {
    let (sandbox, file) = try store(engine)
    try sandbox.write("", to: file)
    try expectRefusal(sandbox, file, "empty")
  }

  @Test(arguments: Program.fileEngines) func halfTruncated(engine: String) throws {
    let (sandbox, file) = try store(engine)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: file))
    try expectRefusal(sandbox, file, "half of it")
  }

  @Test(arguments: Program.fileEngines) func folderInItsPlace(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let file = sandbox.storeFile(engine)
    try sandbox.makeFolder(file)
    try expectRefusal(sandbox, file, "a folder", codes: [69, 73, 74])
    #expect(try FileManager.default.contentsOfDirectory(atPath: file).isEmpty)
  }

  @Test(arguments: Program.fileEngines) func storeOfTheOtherEngine(engine: String) throws {
    for other in Program.fileEngines where other != engine {
      let (sandbox, file) = try store(engine)
      try #require(try sandbox.run("--backend", other, "share", "x").exitCode == 0)
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.copyItem(atPath: sandbox.storeFile(other), toPath: file)
      try? FileManager.default.removeItem(atPath: file + "-lock")
      try expectRefusal(sandbox, file, "a store of \(other)")
    }
  }

  @Test(.enabled(if: Program.engines.contains("sqlite") && FileManager.default.fileExists(atPath: "/usr/bin/sqlite3")))
  func sqliteOfANewerFormatOrOfSomebodyElse() throws {
    let (sandbox, file) = try store("sqlite")
    let changed = try sandbox.shell("sqlite3 \(file) 'PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE)'")
    try #require(changed.exitCode == 0, "\(changed.stderr)")
    try expectRefusal(sandbox, file, "a newer format")

    let other = try CommandSandbox("sqlite")
    let foreign = other.storeFile("sqlite")
    try other.makeFolder(other.home + "/.local/share/saver")
    try #require(try other.shell("sqlite3 \(foreign) 'CREATE TABLE item (id TEXT, text TEXT)'").exitCode == 0)
    try expectRefusal(other, foreign, "another program's database")
  }
}

import Foundation
import Glibc
import Testing

/// `doctor --repair`: mends what can be mended, says so, and examines what is left.
@Suite struct DoctorRepairTests {
  private func report(_ outcome: Outcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], "\(outcome.stderr)")
  }

  /// A store that is sound is left as it is, to the byte.
  @Test(arguments: Program.fileEngines) func aSoundStore(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for number in 0..<20 { try sandbox.share("item \(number)") }
    let items = try sandbox.items()
    let before = FileManager.default.contents(atPath: sandbox.storeFile(engine))
    let outcome = try sandbox.run("doctor", "--repair", "--format", "json")
    #expect(outcome.exitCode == 0)
    #expect(try report(outcome)["mended"] as? [String] == [])
    #expect(FileManager.default.contents(atPath: sandbox.storeFile(engine)) == before)
    #expect(try sandbox.items() == items)
  }

  @Test(.enabled(if: Program.hasSQLiteShell)) func sqlite() throws {
    let sandbox = try CommandSandbox("sqlite")
    for number in 0..<20 { try sandbox.share("https://example.org/\(number)") }
    try sandbox.sqlite(
      "DROP TRIGGER item_history_insert", "DROP INDEX item_created_at", "DROP TRIGGER item_duplicate_key_clear",
      "UPDATE item SET text = 'https://example.org/new' WHERE text LIKE '%/7'",
      "INSERT INTO item(text) VALUES ('https://example.org/foreign')")
    let found = try sandbox.run("doctor", "--format", "json")
    #expect(found.exitCode == 1)
    #expect(try #require(try report(found)["problems"] as? [String]).count >= 3)
    let token = try #require(try report(found)["token"] as? String)

    let mended = try sandbox.run("doctor", "--repair", "--format", "json")
    #expect(mended.exitCode == 0, "\(mended.stdout)")
    #expect(try #require(try report(mended)["mended"] as? [String]).count >= 2)
    #expect(try report(mended)["problems"] as? [String] == [])
    #expect(try sandbox.run("doctor").exitCode == 0)
    #expect(try sandbox.items().count == 21)
    // Whoever goes on from before is told that anything may have changed.
    let changes = try sandbox.run("changes", "--since", token)
    #expect(changes.exitCode == 0 && changes.stdout.contains("unknown"), "\(changes.stdout) \(changes.stderr)")
    try sandbox.share("https://example.org/foreign")
    try sandbox.share("https://example.org/new")
    #expect(try sandbox.items().count == 21, "the duplicates are found again")
  }

  /// Whoever writes is waited for, for as long as the configuration says; the examination alone waits for nobody.
  @Test(arguments: Program.fileEngines) func whileSomebodyWrites(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x")
    let configuration = try sandbox.write("{ busyTimeoutMilliseconds: 50 }", to: sandbox.home + "/short.json5")
    let writer = try sandbox.start(
      ["--no-fork", sandbox.storeFile(engine) + "-writer", "sh", "-c", "echo has it; exec sleep 1000"],
      program: "/usr/bin/flock")
    eventually("the lock") { writer.output.contains("has it") }
    let outcome = try sandbox.run("--config", configuration, "doctor", "--repair")
    #expect(outcome.exitCode == 75 && outcome.stdout == "", "\(outcome.stdout) \(outcome.stderr)")
    _ = try writer.end(SIGKILL)
    #expect(try sandbox.run("--config", configuration, "doctor", "--repair").exitCode == 0)
  }

  /// What was left of a store that was never completed goes, and nothing that only looks like it.
  @Test(arguments: Program.fileEngines) func leftovers(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x")
    let folder = (sandbox.storeFile(engine) as NSString).deletingLastPathComponent
    let gone = "\(folder)/.items.\(engine).new-2147483647-0123456789abcdef0001"
    try sandbox.write("half a store", to: gone + "/items.\(engine)")
    try sandbox.write("half a store", to: "\(folder)/.items.\(engine).new-2147483647-0123456789abcdef0002")
    try sandbox.write("mine", to: sandbox.home + "/mine/letter")
    symlink(sandbox.home + "/mine", "\(folder)/.items.\(engine).new-2147483647-0123456789abcdef0003")
    try sandbox.write("mine", to: "\(folder)/.items.\(engine).new-me")
    let outcome = try sandbox.run("doctor", "--repair")
    #expect(outcome.exitCode == 0 && outcome.stdout.contains("3 files"), "\(outcome.stdout)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".new-") }
    #expect(left == [".items.\(engine).new-me"])
    #expect(FileManager.default.fileExists(atPath: sandbox.home + "/mine/letter"))
  }
}

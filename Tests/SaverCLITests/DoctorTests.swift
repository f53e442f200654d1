import Foundation
import Testing

@Suite struct DoctorTests {
  @Test(arguments: Program.fileEngines) func theReport(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for text in ["a", "b", "c"] { try sandbox.share(text) }
    let outcome = try sandbox.run("doctor", "--format", "json")
    #expect(outcome.exitCode == 0 && outcome.stderr == "")
    let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    #expect(report["backend"] as? String == engine)
    #expect(report["store"] as? String == sandbox.storeFile(engine))
    let counts = try #require(report["counts"] as? [String: Int])
    #expect(counts == ["snapshot": 3, "repository": 3, "live": 3])
    #expect(report["token"] as? String == (try sandbox.run("changes").lines.last))
    #expect(report["observation"] as? String == "live")
    let history = try #require(report["history"] as? [String: Any])
    #expect(Set(history.keys) == ["changes", "transactions", "oldest", "newest", "bytes", "from", "to"])
    #expect(["changes", "transactions", "oldest", "newest"].map { history[$0] as? Int } == [3, 3, 1, 3])
    #expect((history["from"] as? String ?? "") <= (history["to"] as? String ?? ""))
    #expect(report["integrity"] as? String == "ok")
    #expect(report["problems"] as? [String] == [])
    let files = try #require(report["files"] as? [[String: Any]])
    let file = try #require(files.first { $0["path"] as? String == sandbox.storeFile(engine) })
    #expect((file["size"] as? Int ?? 0) > 0 && file["mode"] as? String == "600")
    let folder = try #require(report["folder"] as? [String: String])
    #expect(folder["mode"] == "700" && folder["path"] == sandbox.home + "/.local/share/saver")
    let mounted = try sandbox.shell("stat -f -c %T \(sandbox.home)").stdout.trimmingCharacters(in: .newlines)
    #expect(mounted.hasPrefix(try #require(folder["fileSystem"]).prefix(3)), "\(mounted)")
    #expect(report["mended"] as? [String] == [])
    let plain = try sandbox.run("doctor")
    #expect(
      plain.exitCode == 0 && plain.stdout.contains(sandbox.storeFile(engine)) && plain.stdout.contains("integrity"))
    let counted = plain.lines.filter { $0.hasPrefix("items, ") }
    #expect(counted.count == 3 && counted.allSatisfy { $0.hasSuffix(" 3") })
  }

  @Test(arguments: Program.fileEngines) func aRelativeStoreIsNamedInFull(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try #require(try sandbox.run("--store", "here", "share", "x").exitCode == 0)
    let outcome = try sandbox.run("--store", "here", "doctor", "--format", "json")
    let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    let path = try #require(report["store"] as? String)
    #expect(path.hasPrefix("/") && path.hasSuffix("/work/here.\(engine)"), "\(path)")
  }

  @Test(arguments: Program.fileEngines) func withoutAStore(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let outcome = try sandbox.run("doctor")
    #expect(outcome.stdout == "" && outcome.stderr.contains("there is no \(engine) store yet"))
    #expect(sandbox.files.isEmpty)
  }
}

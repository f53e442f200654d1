import Foundation
import Glibc
import Testing

/// Who has the store open and who writes, as `doctor` says it; and who may read it.
@Suite struct DoctorLocksTests {
  private func report(_ sandbox: CommandSandbox, _ options: String...) throws -> [String: Any] {
    let outcome = try sandbox.run(["doctor", "--format", "json"] + options)
    return try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any], "\(outcome.stderr)")
  }

  private func locks(_ sandbox: CommandSandbox) throws -> (writer: [String: Any]?, open: [Int]) {
    let locks = try #require(try report(sandbox)["locks"] as? [String: Any])
    let open = try #require(locks["open"] as? [[String: Any]])
    return (locks["writer"] as? [String: Any], open.compactMap { $0["process"] as? Int })
  }

  @Test(arguments: Program.fileEngines) func whoHasTheStoreOpen(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x")
    #expect(try locks(sandbox).open == [])
    let watch = try sandbox.start(["watch", "--format", "jsonl"])
    eventually("the snapshot") { watch.output.contains("snapshot") }
    let (writer, open) = try locks(sandbox)
    #expect(writer == nil && open == [Int(watch.id)])
    let plain = try sandbox.run("doctor")
    #expect(plain.stdout.contains("process \(watch.id) (saver)"), "\(plain.stdout)")
    _ = try watch.end()
    #expect(try locks(sandbox).open == [])
    #expect(try sandbox.run("doctor").stdout.contains("no other process"))
  }

  /// The lock file names who wrote last; whether somebody does now, only the kernel knows.
  @Test(arguments: Program.fileEngines) func whoWrites(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x")
    #expect(try locks(sandbox).writer == nil)
    let lock = sandbox.storeFile(engine) + "-writer"
    let writer = try sandbox.start(
      ["--no-fork", lock, "sh", "-c", "echo has it; exec sleep 1000"], program: "/usr/bin/flock")
    eventually("the lock") { writer.output.contains("has it") }
    let process = try #require(try locks(sandbox).writer?["process"] as? Int)
    #expect(process == Int(writer.id))
    #expect(try sandbox.run("doctor").exitCode == 0, "it does not wait for the writer")
    _ = try writer.end(SIGKILL)
  }

  @Test(arguments: Program.fileEngines) func whoMayReadIt(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x")
    let file = sandbox.storeFile(engine)
    let folder = (file as NSString).deletingLastPathComponent
    func warnings(_ path: String, _ mode: mode_t) throws -> [String] {
      let before = try #require(CommandSandbox.mode(path))
      chmod(path, mode)
      defer { chmod(path, before) }
      let outcome = try sandbox.run("doctor", "--format", "json")
      #expect(outcome.exitCode == 0)
      let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
      return try #require(report["warnings"] as? [String]).filter { $0.hasPrefix("Others") }
    }
    #expect(try warnings(file, 0o600) == [])
    // What an engine makes beside its file has its mode.
    #expect(try warnings(file, 0o640).first == "Others can read \(file) (mode 640); 'chmod 600' keeps it private.")
    #expect(try warnings(file, 0o666).first == "Others can write to \(file) (mode 666); 'chmod 600' keeps it private.")
    #expect(try warnings(folder, 0o755).first?.contains("see what is in the store's folder") == true)
    #expect(try warnings(folder, 0o770).first?.contains("put files into the store's folder") == true)
  }

  /// What cannot be opened is a report as well, and says what is known.
  @Test(arguments: Program.fileEngines) func whatCannotBeOpened(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let file = sandbox.storeFile(engine)
    try sandbox.write("just a note\n", to: file)
    let outcome = try sandbox.run("doctor", "--format", "json", "--repair")
    #expect(outcome.exitCode == 1 && outcome.stderr == "")
    let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
    #expect(report["integrity"] as? String == "unusable" && report["store"] as? String == file)
    let problems = try #require(report["problems"] as? [String])
    #expect(problems.count == 1 && problems[0].contains(file))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "just a note\n")
    let plain = try sandbox.run("doctor")
    #expect(plain.exitCode == 1 && plain.stdout.contains("unusable") && plain.stdout.contains(file))
  }

  /// No fact is said twice, and nothing that is a name comes raw to a terminal.
  @Test(arguments: Program.fileEngines) func theText(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let name = "esc\u{1B}[2J\u{202E}\u{9B}31m"
    try #require(try sandbox.run(["--store", name, "share", "x"]).exitCode == 0)
    for arguments in [["doctor"], ["doctor", "--repair"], ["copy", "--to", "\(engine):b\(name)"], ["list"]] {
      let outcome = try sandbox.run(["--store", name] + arguments)
      for scalar in (outcome.stdout + outcome.stderr).unicodeScalars where scalar != "\n" {
        #expect(!["\u{1B}", "\u{202E}", "\u{9B}"].contains(scalar), "\(arguments)")
      }
    }
    let lines = try sandbox.run("--store", name, "doctor").lines
    let headings = lines.compactMap { $0.components(separatedBy: "  ").first }.filter {
      !["file", "warning"].contains($0)
    }
    #expect(Set(headings).count == headings.count, "\(headings)")
    for word in ["SQLite 3", "LMDB 0"] where lines[0].contains(word) {
      #expect(lines.filter { $0.contains(word) && !$0.hasPrefix("warning") }.count == 1)
    }
  }

  /// Errors that quote what somebody typed, or a path, quote it harmlessly.
  @Test(arguments: Program.fileEngines) func errorsQuoteHarmlessly(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x")
    let evil = "x\u{1B}]52;c;AAAA\u{7}\u{202E}\u{9B}2J\r"
    for arguments in [
      ["--store", "/dev/null/\(evil)", "share", "x"], ["--store", "/dev/null/\(evil)", "list"], ["show", evil],
      ["delete", evil], ["list", "--\(evil)"], ["list", "--sort", evil], ["list", "--from", evil], [evil],
      ["--backend", evil, "list"], ["--config", evil, "list"], ["copy", "--to", evil], ["watch", "--since", evil],
      ["copy", "--to", "\(engine):/dev/null/\(evil)"], ["help", evil], ["list", "--after", evil],
    ] {
      let outcome = try sandbox.run(arguments)
      #expect(outcome.exitCode != 0 && !outcome.stderr.isEmpty, "\(arguments)")
      for scalar in (outcome.stdout + outcome.stderr).unicodeScalars where scalar != "\n" {
        let isRaw = ["\u{1B}", "\u{7}", "\u{202E}", "\u{9B}", "\r"].contains(scalar)
        #expect(!isRaw, "\(arguments.map(\.debugDescription))")
      }
    }
  }
}

import Foundation
import Glibc
import Testing

/// Watchers beside much work, and beside none.
@Suite(.serialized) struct WatchLoadTests {
  /// Case 22: large transactions and small ones of several processes beside watchers: nothing is lost, nobody complains.
  @Test(arguments: Program.fileEngines) func manyWriters(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let watches = try (0..<3).map { _ in try WatchProcess(sandbox) }
    let real: [String: String?] = ["SAVER_TEST_IDS": nil, "SAVER_TEST_NOW": nil]
    let large = try sandbox.start(
      [
        "-c",
        "for i in 1 2 3 4 5; do seq 1000 | sed \"s/^/import $i /\" | \"$saver\" share --lines >/dev/null || exit 1; done",
      ], program: "/bin/sh", environment: real)
    let small = try (0..<50).map { try sandbox.start(["share", "small \($0)"], environment: real) }
    for outcome in try small.map({ try $0.wait() }) + [try large.wait()] {
      #expect(outcome.exitCode == 0 && outcome.stderr == "", "\(outcome.stderr)")
    }
    let expected = Set((0..<50).map { "small \($0)" } + (1...5).flatMap { i in (1...1000).map { "import \(i) \($0)" } })
    #expect(Set(try sandbox.texts()) == expected)
    let token = try sandbox.run("changes", "--limit", "0").exitCode == 0 ? try sandbox.run("changes").lines.last : nil
    for watch in watches {
      try eventually("the last token") { try watch.lines.last?.token == token }
      let texts = WatchProcess.texts(try watch.lines)
      #expect(texts.count == 5_050 && Set(texts.values) == expected)
      try watch.end()
    }
  }

  /// Case 23: killed watchers leave neither their places nor what they held.
  @Test(arguments: Program.fileEngines) func killedWatchers(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for number in 0..<100 { try sandbox.share("item \(number)") }
    let keeper = try WatchProcess(sandbox)
    for _ in 0..<5 {
      let watches = try (0..<26).map { _ in try WatchProcess(sandbox) }
      for watch in watches { #expect(try watch.process.end(SIGKILL).exitCode == 137) }
    }
    let size = try FileManager.default.attributesOfItem(atPath: sandbox.storeFile(engine))[.size] as? Int ?? 0
    let writers = try (0..<2).map { writer in
      try sandbox.start(
        ["-c", "for i in $(seq 500); do \"$saver\" share \"new \(writer) $i\" >/dev/null || exit 1; done"],
        program: "/bin/sh", environment: ["SAVER_TEST_IDS": nil, "SAVER_TEST_NOW": nil])
    }
    for outcome in try writers.map({ try $0.wait() }) {
      #expect(outcome.exitCode == 0 && outcome.stderr == "", "\(outcome.stderr)")
    }
    let events = try keeper.lines(1_000)
    #expect(WatchProcess.texts(events).count == 1_000)
    try keeper.end()
    // A thousand items and their history are some hundred kilobytes; a page for each commit would be 4 MB and more.
    let grown = (try FileManager.default.attributesOfItem(atPath: sandbox.storeFile(engine))[.size] as? Int ?? 0) - size
    #expect(grown < 2_000_000, "\(grown) bytes")
    let doctor = try sandbox.run("doctor")
    #expect(doctor.exitCode == 0 && !doctor.stdout.contains("stale"), "\(doctor.stdout)")
  }

  /// Case 30: below 20 ms of processor time a minute, and in proportion for as long as `SAVER_TEST_IDLE_SECONDS` says.
  /// That is said of a program as it is installed; one that is built for debugging may take twice as much.
  @Test(arguments: Program.fileEngines) func idle(engine: String) throws {
    let seconds = ProcessInfo.processInfo.environment["SAVER_TEST_IDLE_SECONDS"].flatMap { Double($0) } ?? 10
    let sandbox = try CommandSandbox(engine)
    for number in 0..<100 { try sandbox.share("item \(number)") }
    let watch = try WatchProcess(sandbox)
    // The end of the first publication's work, and of the loading of code.
    usleep(500_000)
    let before = try Self.processorMilliseconds(watch.process.id)
    usleep(UInt32(seconds * 1_000_000))
    let used = try Self.processorMilliseconds(watch.process.id) - before
    #if DEBUG
    let millisecondsAMinute = 40.0
    #else
    let millisecondsAMinute = 20.0
    #endif
    let limit = millisecondsAMinute * seconds / 60
    print("an idle watch on \(engine) has used \(used) ms in \(seconds) s")
    // A sanitizer's time is not the watcher's.
    if getenv("SAVER_SANITIZER") == nil { #expect(used < limit, "\(used) ms in \(seconds) s") }
    try watch.end()
  }

  /// The processor time that a process's threads have used, from the scheduler's own count.
  private static func processorMilliseconds(_ process: pid_t) throws -> Double {
    let tasks = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
      let text = try String(contentsOfFile: "\(tasks)/\(task)/schedstat", encoding: .utf8)
      return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1_000_000
    }
  }

  /// Case 32: a reader that does not read while ten thousand items come gets few publications afterwards, and all.
  @Test(arguments: Program.fileEngines) func aSlowReader(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let fifo = sandbox.root + "/fifo"
    try #require(mkfifo(fifo, 0o600) == 0)
    let watch = try sandbox.start(["-c", "exec \"$saver\" watch --format jsonl >\"\(fifo)\""], program: "/bin/sh")
    let reader = open(fifo, O_RDONLY)
    defer { close(reader) }
    // Its snapshot lies in the pipe: nothing has been shared before that.
    eventually("a snapshot") {
      var count: Int32 = 0
      return ioctl(reader, UInt(FIONREAD), &count) == 0 && count > 0
    }
    for part in 0..<40 {
      let input = Data((0..<250).map { "item \(part) \($0)\n" }.joined().utf8)
      try #require(try sandbox.run(["share", "--lines"], stdin: input).exitCode == 0)
    }
    let memory = try Self.residentKilobytes(watch.id)
    let token = try #require(try sandbox.run("changes").lines.last)
    var bytes = Data()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.range(of: Data(token.utf8), in: max(0, bytes.count - 4_096)..<bytes.count) == nil {
      let count = read(reader, &chunk, chunk.count)
      try #require(count > 0, "the watcher has ended")
      bytes.append(contentsOf: chunk[..<count])
    }
    let outcome = try watch.end()
    #expect(outcome.exitCode == 0 && outcome.stderr == "")
    let lines = try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(WatchLine.init)
    #expect(lines.first?.count == 0 && WatchProcess.texts(lines).count == 10_000)
    // A pipe holds some hundred events: some publications fit, one was under way, the last stands for all others.
    let publications = Set(lines.compactMap(\.token)).count
    #expect(publications < 20, "\(publications)")
    #expect(memory < 200_000, "\(memory) kB")
  }

  private static func residentKilobytes(_ process: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return Int(line.split(separator: " ").dropFirst().first ?? "") ?? .max
  }
}

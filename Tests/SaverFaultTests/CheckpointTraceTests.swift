#if SQLite
import Foundation
import Glibc
import SaverTestKit
import Testing

extension FaultTests {
  /// SQLite 3.7.0 to 3.51.2 can lose a commit that begins the log anew while another process copies the log into the store.
  /// That no such commit can happen is not a matter of luck: whoever copies holds SQLite's own write lock.
  ///
  /// Rule, for every call by which a process of ours writes to the store's file: it has the writer lock (`flock`) and
  /// SQLite's write lock, or the whole file for itself, as the last one out has.
  @Suite(.enabled(if: Strace.path != nil, "strace is missing, or may not trace"))
  struct CheckpointTraceTests {
    @Test func noCheckpointRunsBesideACommit() throws {
      let folder = try FaultFolder()
      let file = folder.file("sqlite")
      let rounds = Trials.isTorture ? 40 : 5
      try #require(try ChildReport.run("sqlite", folder.base, ["make"]).isComplete)
      let watcher = Worker()
      try watcher.begin("sqlite", folder.base, ["open", "watch", "wait", "shown"])
      let foreigners = try foreignWriters(file)
      let output = NSTemporaryDirectory() + "saver-trace-\(UUID().uuidString)"
      defer { unlink(output) }
      let files = [file, file + "-wal", file + "-shm", file + "-writer"]
      let process = try ChildProcess(
        try #require(Strace.path),
        ["-f", "-y", "-o", output, "-e", "trace=fcntl,flock,pwrite64,close"] + files.flatMap { ["-P", $0] }
          + [Programs.child], environment: Programs.environment)
      for round in 0..<rounds {
        let steps = ["open", "attempts:\(round * 100 + 1):40:40", "close", "open", "attempts:\(round * 100 + 41):3"]
        try process.send((["sqlite", folder.base] + steps).joined(separator: "\t"))
        try process.wait(for: "end\tok", secondsMax: 200)
      }
      for foreigner in foreigners { foreigner.endInput() }
      for foreigner in foreigners { #expect(ProcessEnd(status: try foreigner.waitForEnd()) == .exited(0)) }
      try watcher.goOn()
      let shown = try watcher.report()
      #expect(shown.isComplete && shown["shown"]?.code == nil, "\(shown)")
      // Now it is the last one out.
      try process.send(["sqlite", folder.base, "open", "attempts:9001:3", "close"].joined(separator: "\t"))
      process.endInput()
      #expect(ProcessEnd(status: try process.waitForEnd()) == .exited(0))
      #expect(process.lines.allSatisfy { !$0.text.contains("error") }, "\(process.lines.suffix(5))")

      var locks = TracedLocks(file: file)
      for line in try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n") { locks.follow(line) }
      #expect(locks.violations.isEmpty, "\(locks.violations.count): \(locks.violations.prefix(5))")
      #expect(locks.underLocks > 1_000 && locks.alone > 0, "\(locks.underLocks), \(locks.alone): nothing was traced")
      print(
        "faults: checkpoints, sqlite: \(locks.underLocks) pages copied under both locks, \(locks.alone) by the last one "
          + "out, \(locks.violations.count) without")
      Trials.note(
        "pages of checkpoints traced, sqlite", locks.underLocks + locks.alone, failures: locks.violations.count)
      let after = try ChildReport.run("sqlite", folder.base, ["open", "integrity"])
      #expect(after["integrity"]?.answer == "", "\(after)")
    }

    /// Programs that write without our lock, one transaction after the other.
    private func foreignWriters(_ file: String) throws -> [ChildProcess] {
      guard let sqlite3 = Programs.find("sqlite3") else { return [] }
      let script = """
        while ! read -t 0.001 line && [ $? -gt 128 ]; do '\(sqlite3)' '\(file)' '.timeout 20000' 'BEGIN IMMEDIATE' \
        "INSERT INTO item(text) VALUES ('foreign')" '.shell sleep 0.02' 'COMMIT' || exit 1; sleep 0.005; done
        """
      return try (0..<2).map { _ in try ChildProcess("/bin/bash", ["-c", script], environment: Programs.environment) }
    }
  }
}

/// The locks that a traced process holds, call by call.
private struct TracedLocks {
  let file: String
  private var hasWriterLock = false
  /// Bytes of SQLite's shared memory that are locked exclusively: 120 to write, 121 to checkpoint.
  private var exclusive: Set<Int> = []
  private var hasWholeFile = false
  /// Calls that have begun and not ended, by thread.
  private var begun: [Substring: Substring] = [:]

  /// Pages written to the store under the locks, by the last one out, and otherwise.
  private(set) var underLocks = 0
  private(set) var alone = 0
  private(set) var violations: [String] = []

  init(file: String) {
    self.file = file
  }

  mutating func follow(_ line: Substring) {
    let thread = line.prefix { $0 != " " }
    var call = line.dropFirst(thread.count).drop { $0 == " " }
    if call.hasSuffix("<unfinished ...>") {
      begun[thread] = call
      begin(call)
      return
    }
    if call.hasPrefix("<..."), let end = call.range(of: " resumed>"), let start = begun.removeValue(forKey: thread) {
      call = start.dropLast("<unfinished ...>".count) + call[end.upperBound...]
    } else {
      begin(call)
    }
    if call.hasSuffix(" = 0") { end(call) }
  }

  /// What has to hold when a call begins, and what is given up with it.
  private mutating func begin(_ call: Substring) {
    if call.hasPrefix("pwrite64("), call.contains("<\(file)>") {
      if hasWriterLock && exclusive.contains(120) {
        underLocks += 1
      } else if hasWholeFile {
        alone += 1
      } else {
        violations.append(String(call.prefix(100)) + " with \(exclusive), writer lock \(hasWriterLock)")
      }
    }
    // A commit of one's own, while one copies.
    if call.hasPrefix("pwrite64("), call.contains("<\(file)-wal>"), exclusive.contains(121), !hasWholeFile {
      violations.append("a commit beside a checkpoint: \(call.prefix(100))")
    }
    if call.hasPrefix("flock("), call.contains("LOCK_UN") { hasWriterLock = false }
    if call.hasPrefix("close("), call.contains("<\(file)-writer>") { hasWriterLock = false }
    if call.hasPrefix("close("), call.contains("<\(file)-shm>") { exclusive = [] }
    if call.hasPrefix("fcntl("), call.contains("F_UNLCK") || call.contains("F_RDLCK") {
      change(call, isExclusive: false)
    }
  }

  private mutating func end(_ call: Substring) {
    if call.hasPrefix("flock("), call.contains("LOCK_EX") { hasWriterLock = true }
    if call.hasPrefix("fcntl("), call.contains("F_WRLCK") { change(call, isExclusive: true) }
  }

  private mutating func change(_ call: Substring, isExclusive: Bool) {
    guard call.contains("F_SETLK"), let start = number("l_start=", call), let length = number("l_len=", call) else {
      return
    }
    if call.contains("<\(file)-shm>") {
      for byte in start..<start + max(length, 1) {
        if isExclusive { exclusive.insert(byte) } else { exclusive.remove(byte) }
      }
    } else if call.contains("<\(file)>"), start <= 0x4000_0002, length == 0 || start + length > 0x4000_0002 {
      hasWholeFile = isExclusive
    }
  }

  private func number(_ name: String, _ call: Substring) -> Int? {
    guard let range = call.range(of: name) else { return nil }
    return Int(call[range.upperBound...].prefix { $0.isNumber })
  }
}
#endif

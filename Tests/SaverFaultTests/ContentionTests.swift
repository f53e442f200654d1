import Foundation
import Glibc
import SaverCore
import SaverTestKit
import Testing

extension FaultTests {
  /// Many processes at once on one store: nobody is refused, nothing that was acknowledged is lost, everybody who
  /// watches shows the same in the end, and backups that are made meanwhile hold everything.
  @Suite struct ContentionTests {
    @Test(arguments: Programs.engines) func everybodyAtOnce(engine: String) throws {
      let folder = try FaultFolder()
      let time = Trials.milliseconds(ordinary: 10_000, torture: 60_000)
      try #require(try ChildReport.run(engine, folder.base, ["make", "write"]).isComplete)
      let watchers = try (0..<8).map { _ in
        let watcher = Worker()
        try watcher.begin(engine, folder.base, ["open", "watch", "wait", "shown"])
        return watcher
      }
      let roles = Array(repeating: "share", count: 8) + ["import", "import"]
      let writers = try roles.enumerated().map { number, role in
        let writer = Worker()
        try writer.begin(engine, folder.base, ["open", "\(role):\(number):\(time)"])
        return writer
      }
      let saver = Worker()
      try saver.begin(engine, folder.base, ["open", "backups:\(time)"])
      let shell = try engine == "sqlite" ? checkpointingShell(folder, until: writers[0].processID) : nil
      var reports: [(role: String, numbers: [Int])] = []
      let longestLog = Guarded(0)
      let size = folder.file(engine) + "-wal"
      // Its size alone is asked for: nobody but the engine may open it.
      let sampling = Sampler { longestLog.withLock { $0 = max($0, FaultFolder.size(size)) } }
      for (role, writer) in zip(roles, writers) {
        let report = try writer.report()
        #expect(report.isComplete && report[role]?.code == nil, "\(role): \(report)")
        reports.append((role, (report[role]?.answer ?? "").split(separator: " ").compactMap { Int($0) }))
      }
      sampling.end()
      let backups = try saver.report()
      let made = (backups["backups"]?.answer ?? "").split(separator: " ").compactMap { Int($0) }
      // Each is sound, and has everything that was acknowledged before it began.
      #expect(backups.isComplete && backups["backups"]?.code == nil && made.count == 3, "\(backups)")
      #expect(made.first ?? 0 >= 2, "\(backups)")
      let logBytes = longestLog.withLock { $0 }
      if let shell {
        shell.endInput()
        _ = try shell.waitForEnd()
        let lines = shell.lines.map(\.text)
        #expect(!lines.contains { $0.contains("failed") || $0.lowercased().contains("error") }, "\(lines.suffix(5))")
        print("faults: contention, sqlite: the shell printed \(lines.count) lines of checkpoints")
      }
      func most(_ role: String, _ place: Int) -> Int {
        reports.filter { $0.role == role && $0.numbers.count == 4 }.map { $0.numbers[place] }.max() ?? 0
      }
      func sum(_ role: String) -> Int { reports.filter { $0.role == role }.reduce(0) { $0 + ($1.numbers.first ?? 0) } }
      for watcher in watchers { try watcher.goOn() }
      let shown = try watchers.map { try $0.report() }
      let digests = Set(shown.map { $0["shown"]?.answer.split(separator: " ").prefix(3).joined(separator: " ") ?? "" })
      #expect(shown.allSatisfy { $0.isComplete && $0["shown"]?.code == nil }, "\(shown)")
      #expect(digests.count == 1, "the watchers show different things: \(digests)")
      let after = try ChildReport.run(engine, folder.base, ["open", "read", "integrity", "history"])
      let count = (after["read"]?.answer.split(separator: " ").first).flatMap { Int($0) }
      #expect(count == sum("share") + sum("import"), "\(after)")
      #expect(after["integrity"]?.answer == "" && after["history"]?.answer == "", "\(after)")
      print(
        "faults: contention, \(engine), \(time) ms: \(sum("share")) commits of one item, \(sum("import")) items imported; "
          + "slowest commit of one item \(most("share", 1) / 1_000) ms, of it waiting for the lock at most "
          + "\(most("share", 2) / 1_000) ms, and with the lock at most \(most("share", 3) / 1_000) ms; an import with the "
          + "lock at most \(most("import", 3) / 1_000) ms; longest log \(logBytes >> 10) KiB; backups, slowest in µs, and records of the last: \(made)"
      )
      Trials.note("contention, \(engine): backups meanwhile", made.first ?? 0)
      Trials.note("contention, \(engine): commits", sum("share") + sum("import") / 500)
      // The log stays within what makes checkpoints wait for readers, and one transaction.
      #expect(logBytes < 48 << 20)
    }

    /// Somebody with the sqlite3 shell, who takes no notice of our lock.
    private func checkpointingShell(_ folder: FaultFolder, until process: pid_t) throws -> ChildProcess? {
      guard let sqlite3 = Programs.find("sqlite3") else { return nil }
      let script =
        "while kill -0 \(process) 2>/dev/null && [ -d '\(folder.path)' ]; do '\(sqlite3)' '\(folder.file("sqlite"))' "
        + "'.timeout 10000' 'PRAGMA wal_checkpoint(TRUNCATE)' 'PRAGMA wal_checkpoint' || echo failed; sleep 0.1; "
        + "read -t 0 line && break; done"
      return try ChildProcess("/bin/bash", ["-c", script])
    }
  }
}

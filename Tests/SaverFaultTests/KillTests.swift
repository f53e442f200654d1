import Foundation
import Glibc
import SaverTestKit
import Testing

extension FaultTests {
  /// Processes that are killed while they write: at random instants, and at random ones of the system calls by which they
  /// change files. Afterwards, for those who had the store open all the time and for those who open it then: what was
  /// acknowledged is there, no half of a transaction is, the store and its history are sound, and it takes the next write.
  @Suite struct KillTests {
    /// What a process does when it is killed.
    private struct Work {
      var name: String
      /// How the store is opened: some keep little history, so that it is trimmed.
      var open = "open"
      /// The rows of a transaction.
      var rows = 3
      /// For how long after an acknowledgement it may live.
      var microsecondsMax: UInt32
      /// How many acknowledgements may be waited for.
      var acknowledgedMax = 3
      /// The last of the system calls that it may die at.
      var callsMax: Double
      var cases: Int
      var atLeast: Int
      /// After so many kills, another store is taken.
      var killsOfAStore = 20
    }

    private static func works(_ engine: String) -> [Work] {
      [
        Work(name: "single writes", microsecondsMax: 4_000, callsMax: 100, cases: 16, atLeast: 300),
        // Also what deletes many rows by id and by a condition; and the file grows.
        Work(
          name: "bulk transactions and growth", rows: 80, microsecondsMax: 20_000, acknowledgedMax: 1,
          callsMax: engine == "sqlite" ? 2_000 : 60, cases: 10, atLeast: 200, killsOfAStore: 5),
        // Some hundred pages each: SQLite checkpoints behind each third transaction.
        Work(
          name: "checkpoints", rows: 150, microsecondsMax: 60_000, acknowledgedMax: 4,
          callsMax: engine == "sqlite" ? 5_000 : 100, cases: 6, atLeast: 100, killsOfAStore: 3),
        Work(
          name: "history trimming", open: "open:60", microsecondsMax: 4_000, acknowledgedMax: 70, callsMax: 1_500,
          cases: 10, atLeast: 200),
      ]
    }

    @Test(arguments: Programs.engines) func writing(engine: String) throws {
      for work in Self.works(engine) { try kill(engine, work) }
    }

    private func kill(_ engine: String, _ work: Work) throws {
      let folder = try FaultFolder()
      let (maker, next) = (Worker(), Worker())
      var (last, identity, killed) = (0, "", 0)
      let name = "killed, \(work.name), \(engine)"
      try Trials.run(name, cases: work.cases, atLeast: work.atLeast, weight: 1.5) { number, random in
        let comment = "\(name), seed \(Trials.seed()), case \(number)"
        if number % work.killsOfAStore == 0 {
          folder.empty()
          let made = try maker.run(engine, folder.base, ["make", "identity"])
          (last, identity) = (0, try #require(made["identity"]?.answer))
        }
        // In every second case another process has the store open all the time.
        let keeper = random.chance(oneIn: 2) ? Worker() : nil
        try keeper?.begin(
          engine, folder.base, [work.open, "wait", "write", "commits:\(work.rows)", "history", "integrity"])
        try keeper?.wait(for: "wait")
        let victim = Worker()
        // Its start is over before its life is measured.
        _ = try victim.run(engine, folder.base, [])
        let attempts = "attempts:\(last + 1):\(work.acknowledgedMax + 2):\(work.rows)"
        let dies = random.chance(oneIn: 2)
        if dies {
          let call = Int(exp(Double.random(in: 0...log(work.callsMax), using: &random)))
          try victim.begin(
            engine, folder.base, [work.open, "kill:\(random.pick(["before", "after"])):\(call)", attempts, "wait"])
        } else {
          try victim.begin(engine, folder.base, [work.open, attempts, "wait"])
          for _ in 0..<random.below(work.acknowledgedMax + 1) { try victim.wait(for: "attempt") }
          usleep(UInt32.random(in: 0...work.microsecondsMax, using: &random))
        }
        let report = dies ? try victim.waitForEndOrWait() : try victim.kill()
        if report.signal == SIGKILL { killed += 1 }
        let acknowledged = report.steps.filter { $0.name == "attempt" && $0.code == nil }.compactMap { Int($0.answer) }
        let sure = acknowledged.last ?? last
        #expect(report.steps.allSatisfy { $0.code == nil }, "\(comment)\n\(report)")

        var reports: [ChildReport] = []
        if let keeper {
          try keeper.goOn()
          reports.append(try keeper.report())
        }
        let steps = [work.open, "commits:\(work.rows)", "history", "integrity", "identity", "write", "integrity"]
        reports.append(try next.run(engine, folder.base, steps))
        for after in reports {
          #expect(after.isComplete && after.steps.allSatisfy { $0.code == nil }, "\(comment)\n\(after)")
          #expect(
            after.steps.allSatisfy { !["history", "integrity"].contains($0.name) || $0.answer.isEmpty },
            "\(comment)\n\(after)")
          let commits = after["commits"]?.answer ?? ""
          let found = commits.split(separator: " ").last.flatMap { Int($0) } ?? 0
          #expect((sure...sure + 1).contains(found), "\(comment): \(sure) was acknowledged\n\(report)\n\(after)")
          let whole = found == 0 ? [] : (max(1, found - 7)...found).map { "\($0)" }
          #expect(commits == whole.joined(separator: " "), "\(comment)\n\(report)\n\(after)")
          last = max(found, sure)
        }
        #expect(reports.last?["identity"]?.answer == identity, "\(comment): the identity is another")
      }
      Trials.note("\(name): killed in it", killed)
    }

    // MARK: Beginnings

    /// A store that is being made: whoever comes next finds a whole one or none, and nothing is left beside it.
    @Test(arguments: Programs.engines) func making(engine: String) throws {
      let folder = try FaultFolder()
      let next = Worker()
      try Trials.run("killed, making a store, \(engine)", cases: 16, atLeast: 200) { number, random in
        let comment = "killed while making, seed \(Trials.seed()), case \(number)"
        folder.empty()
        let report = try victim(
          engine, folder.base, ["make", "attempts:1:1"], microsecondsMax: 15_000, callsMax: 80, &random)
        let after = try next.run(engine, folder.base, ["make", "commits", "history", "integrity", "write"])
        #expect(after.isComplete && after.steps.allSatisfy { $0.code == nil }, "\(comment)\n\(report)\n\(after)")
        #expect(after["integrity"]?.answer == "" && after["history"]?.answer == "", "\(comment)\n\(after)")
        let commits = after["commits"]?.answer ?? "-"
        let isAcknowledged = report["attempt"] != nil
        #expect(commits == "1" || commits == "" && !isAcknowledged, "\(comment)\n\(report)\n\(after)")
        let rest = folder.names.filter { !$0.hasPrefix("store.\(engine)") }
        #expect(rest.isEmpty, "\(comment): left beside the store: \(rest)")
      }
    }

    /// A store of an earlier version of the program that is being opened by the later one: all of its rows are as they were,
    /// or as they are to be.
    @Test(arguments: Programs.engines) func migrating(engine: String) throws {
      let folder = try FaultFolder()
      let next = Worker()
      let made = try next.run(engine, folder.base, ["makeBefore", "identity"])
      try #require(made.isComplete, "\(made)")
      let (identity, bytes) = (made["identity"]?.answer, try #require(FaultFolder.content(folder.file(engine))))
      try Trials.run("killed, migrating, \(engine)", cases: 12, atLeast: 150) { number, random in
        let comment = "killed while migrating, seed \(Trials.seed()), case \(number)"
        folder.empty()
        try folder.write(bytes, to: folder.file(engine))
        let report = try victim(
          engine, folder.base, ["openAfter"], microsecondsMax: 60_000, callsMax: engine == "sqlite" ? 400 : 40, &random)
        let after = try next.run(engine, folder.base, ["openAfter", "migrated", "integrity", "identity"])
        #expect(after.isComplete && after.steps.allSatisfy { $0.code == nil }, "\(comment)\n\(report)\n\(after)")
        #expect(after["migrated"]?.answer == "" && after["integrity"]?.answer == "", "\(comment)\n\(report)\n\(after)")
        #expect(after["identity"]?.answer == identity, "\(comment)\n\(report)\n\(after)")
      }
    }

    /// Starts a process that does the steps, and kills it somewhere in them.
    private func victim(
      _ engine: String, _ base: String, _ steps: [String], microsecondsMax: UInt32, callsMax: Double,
      _ random: inout RandomGenerator
    ) throws -> ChildReport {
      let victim = Worker()
      _ = try victim.run(engine, base, [])
      if random.chance(oneIn: 2) {
        let call = Int(exp(Double.random(in: 0...log(callsMax), using: &random)))
        try victim.begin(engine, base, ["kill:\(random.pick(["before", "after"])):\(call)"] + steps + ["wait"])
        return try victim.waitForEndOrWait()
      }
      try victim.begin(engine, base, steps + ["wait"])
      usleep(UInt32.random(in: 0...microsecondsMax, using: &random))
      return try victim.kill()
    }
  }
}

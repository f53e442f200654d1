import Foundation
import Glibc
import Testing

extension FaultTests {
  /// Files that are no store, or no longer: every one is opened in a process of its own.
  @Suite struct FileDamageTests {
    /// A file is refused with one of these codes, which names it, and stays as it is; so does its folder.
    private func expectRefusal(
      _ engine: String, _ bytes: [UInt8], codes: Set<String>, using worker: Worker = Worker(),
      _ comment: @autoclosure () -> String,
      fileID: String = #fileID, line: Int = #line
    ) throws {
      let folder = try FaultFolder()
      let file = folder.file(engine)
      try folder.write(bytes, to: file)
      for opening in ["open", "make"] {
        let report = try worker.run(engine, folder.base, [opening])
        let step = try #require(report[opening], "\(comment())\n\(report)")
        let place = SourceLocation(fileID: fileID, filePath: #filePath, line: line, column: 1)
        #expect(
          report.isComplete && step.code.map(codes.contains) ?? false && step.path == file, "\(comment())\n\(report)",
          sourceLocation: place)
        #expect(FaultFolder.content(file) == bytes, "\(comment()): the file has changed", sourceLocation: place)
        #expect(
          folder.names.isSubset(of: ["store.\(engine)", "store.\(engine)-writer"]), "\(comment()): \(folder.names)",
          sourceLocation: place)
      }
    }

    // MARK: Truncated

    /// Every length that a file can be cut to: refused, or reported by what reads there; never a crash.
    @Test(arguments: Programs.engines) func truncated(engine: String) throws {
      let sample = try SampleStore.shared(engine)
      let folder = try FaultFolder()
      let file = folder.file(engine)
      let worker = Worker()
      var outcomes: [SampleStore.Outcome: Int] = [:]
      let seed = Trials.seed()
      Trials.run("truncated, \(engine)", cases: 60, atLeast: 500) { number, random in
        let half = sample.bytes.count / 2
        let length =
          switch number {
          case 0: half
          case 1: half / 4_096 * 4_096
          case 2: sample.bytes.count - 1
          case 3: sample.bytes.count - 4_096
          case 4..<20: random.below(9_000) + 1
          default: random.below(sample.bytes.count) + 1
          }
        let bytes = Array(sample.bytes.prefix(length))
        let comment = "cut to \(length) of \(sample.bytes.count) bytes, seed \(seed), case \(number)"
        do {
          folder.empty()
          try folder.write(bytes, to: file)
          let report = try worker.run(engine, folder.base, SampleStore.steps)
          let outcome = sample.outcome(report, file: file, damaged: bytes, comment)
          outcomes[outcome, default: 0] += 1
          // A cut is noticed on both engines: by the size that the header gives, before anything is read.
          #expect([.refused, .reported, .right].contains(outcome), "\(comment): \(outcome)\n\(report)")
        } catch {
          Issue.record(error, "\(comment)")
        }
      }
      print("faults: truncated, \(engine): \(outcomes.summary)")
    }

    // MARK: Not a store

    @Test(arguments: Programs.engines) func emptyFile(engine: String) throws {
      try expectRefusal(engine, [], codes: ["foreignFile"], "an empty file")
    }

    @Test(arguments: Programs.engines) func randomBytes(engine: String) throws {
      let seed = Trials.seed()
      let worker = Worker()
      try Trials.run("random bytes, \(engine)", cases: 30, atLeast: 300, weight: 0.5) { number, random in
        var bytes = random.bytes(random.pick([1, 15, 16, 100, 152, 511, 512, 4_096, 8_192, 20_000]))
        // Some begin as a file of the engine does.
        let head = try SampleStore.shared(engine).bytes.prefix(random.pick([16, 28, 100, 152]))
        if bytes.count > head.count && number % 2 == 1 { bytes.replaceSubrange(..<head.count, with: head) }
        try expectRefusal(
          engine, bytes, codes: ["foreignFile", "corrupt", "unsupportedFormat", "inputOutput"], using: worker,
          "\(bytes.count) random bytes, seed \(seed), case \(number)")
      }
    }

    @Test(arguments: Programs.engines) func otherEngine(engine: String) throws {
      for other in Programs.engines where other != engine {
        try expectRefusal(engine, SampleStore.shared(other).bytes, codes: ["foreignFile"], "a store of \(other)")
      }
    }

    @Test(arguments: Programs.engines) func newerFormat(engine: String) throws {
      var bytes = try SampleStore.shared(engine).bytes
      if engine == "sqlite" {
        // The user version: a big-endian number at 60.
        bytes.replaceSubrange(60..<64, with: [0, 0, 0x27, 0x0f])
      } else {
        // The key "format" and its value, one digit, behind each other in a leaf.
        let key = Array("format".utf8)
        let places = bytes.indices.dropLast(key.count).filter { bytes[$0..<$0 + key.count].elementsEqual(key) }
        try #require(!places.isEmpty)
        for place in places { bytes[place + key.count] = UInt8(ascii: "9") }
      }
      try expectRefusal(engine, bytes, codes: ["unsupportedFormat"], "a newer format")
    }

    // MARK: What lies beside the store

    /// LMDB's lock file, SQLite's shared memory and our own lock file hold nothing that has to be kept.
    @Test(arguments: Programs.engines) func garbageInCompanions(engine: String) throws {
      let sample = try SampleStore.shared(engine)
      let folder = try FaultFolder()
      let worker = Worker()
      let seed = Trials.seed()
      let companions = engine == "sqlite" ? ["-shm", "-writer"] : ["-lock", "-writer"]
      Trials.run("companions, \(engine)", cases: 24, atLeast: 200, weight: 0.5) { number, random in
        let comment = "seed \(seed), case \(number)"
        do {
          folder.empty()
          try folder.write(sample.bytes, to: folder.file(engine))
          let companion = random.pick(companions)
          // A longer lock file is none of ours, and refused.
          let size = random.pick(companion == "-writer" ? [0, 1, 64] : [0, 1, 64, 4_096, 32_768, 70_000])
          let text = Array("\(Int32.random(in: 0...9_999, using: &random)) 1 99999999\n".utf8)
          try folder.write(
            companion == "-writer" && random.chance(oneIn: 2) ? text : random.bytes(size),
            to: folder.file(engine) + companion)
          let report = try worker.run(engine, folder.base, SampleStore.steps)
          #expect(sample.outcome(report, file: folder.file(engine), damaged: sample.bytes, comment) == .right)
          #expect(report["integrity"]?.answer == "", "\(comment), \(companion)\n\(report)")
        } catch {
          Issue.record(error, "\(comment)")
        }
      }
    }

    /// SQLite's log has checksums: whatever is wrong in it, the store is one that was committed, to the last whole frame.
    @Test(.enabled(if: Programs.engines.contains("sqlite"))) func flippedBitsInTheLog() throws {
      let folder = try FaultFolder()
      let file = folder.file("sqlite")
      // A process that is killed leaves its log.
      let worker = Worker()
      try worker.begin("sqlite", folder.base, ["make", "attempts:1:30", "wait"])
      try worker.wait(for: "wait")
      _ = try worker.kill()
      let (store, log) = try (
        #require(FaultFolder.content(file)), #require(FaultFolder.content(file + "-wal"))
      )
      try #require(log.count > 100_000)
      let whole = (0...30).map { count in
        (max(count - 7, 1)..<count + 1).map { "\($0)" }.joined(separator: " ")
      }
      let seed = Trials.seed()
      var kept = 0
      Trials.run("flipped bits in the log", cases: 60, atLeast: 600) { number, random in
        let comment = "seed \(seed), case \(number)"
        do {
          folder.empty()
          var bytes = log
          let end = random.chance(oneIn: 3) ? 64 : log.count
          for _ in 0..<random.pick([1, 1, 8]) { bytes[random.below(end)] ^= 1 << UInt8(random.below(8)) }
          if random.chance(oneIn: 4) { bytes.removeLast(random.below(bytes.count)) }
          try folder.write(store, to: file)
          try folder.write(bytes, to: file + "-wal")
          let report = try worker.run("sqlite", folder.base, ["open", "commits", "integrity", "write"])
          let commits = try #require(report["commits"], "\(comment)\n\(report)")
          #expect(report.isComplete && commits.code == nil && whole.contains(commits.answer), "\(comment)\n\(report)")
          #expect(report["integrity"]?.answer == "" && report["write"]?.code == nil, "\(comment)\n\(report)")
          kept += commits.answer.isEmpty ? 0 : 1
        } catch {
          Issue.record(error, "\(comment)")
        }
      }
      print("faults: flipped bits in the log: \(kept) with commits left")
    }
  }
}

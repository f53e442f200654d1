import Foundation
import Testing

extension FaultTests {
  /// Bits that are not what was written, anywhere in a store's file.
  ///
  /// Neither engine has checksums on its pages: a bit in the text of a row, or in a key, is a row as good as any other. What
  /// is checked is that nothing worse happens. SQLite never crashes. LMDB follows what stands in its mapped pages and may:
  /// its crashes are counted.
  @Suite struct BitFlipTests {
    @Test(arguments: Programs.engines) func flippedBits(engine: String) throws {
      let sample = try SampleStore.shared(engine)
      let folder = try FaultFolder()
      let worker = Worker()
      var outcomes: [SampleStore.Outcome: Int] = [:]
      let seed = Trials.seed()
      Trials.run("flipped bits, \(engine)", cases: 300, atLeast: 3_500, weight: 4) { number, random in
        var bytes = sample.bytes
        // The first pages say what the file is; a case in three is there.
        let end = random.chance(oneIn: 3) ? min(bytes.count, 3 * 4_096) : bytes.count
        for _ in 0..<random.pick([1, 1, 1, 2, 8, 64]) { bytes[random.below(end)] ^= 1 << UInt8(random.below(8)) }
        let outcome = trial(sample, bytes, folder, worker, "flipped bits, seed \(seed), case \(number)")
        outcomes[outcome, default: 0] += 1
      }
      print("faults: flipped bits, \(engine): \(outcomes.summary)")
      if engine == "sqlite" { #expect(outcomes[.crashed] == nil && outcomes[.hung] == nil) }
    }

    /// Whole pages of something else: zeros, noise, another page of the same file.
    @Test(arguments: Programs.engines) func wrongPages(engine: String) throws {
      let sample = try SampleStore.shared(engine)
      let folder = try FaultFolder()
      let worker = Worker()
      var outcomes: [SampleStore.Outcome: Int] = [:]
      let seed = Trials.seed()
      Trials.run("wrong pages, \(engine)", cases: 60, atLeast: 700, weight: 1) { number, random in
        var bytes = sample.bytes
        let size = random.pick([512, 4_096])
        let start = random.below(bytes.count / size) * size
        let other = random.below(bytes.count / size) * size
        let content =
          switch random.below(3) {
          case 0: [UInt8](repeating: random.pick([0, 0xff]), count: size)
          case 1: random.bytes(size)
          default: Array(bytes[other..<other + size])
          }
        bytes.replaceSubrange(start..<start + size, with: content)
        let outcome = trial(sample, bytes, folder, worker, "wrong pages, seed \(seed), case \(number)")
        outcomes[outcome, default: 0] += 1
      }
      print("faults: wrong pages, \(engine): \(outcomes.summary)")
      if engine == "sqlite" { #expect(outcomes[.crashed] == nil && outcomes[.hung] == nil) }
    }

    private func trial(
      _ sample: SampleStore, _ bytes: [UInt8], _ folder: FaultFolder, _ worker: Worker, _ comment: String
    ) -> SampleStore.Outcome {
      let file = folder.file(sample.engine)
      do {
        folder.empty()
        try folder.write(bytes, to: file)
        let report = try worker.run(sample.engine, folder.base, SampleStore.steps)
        return sample.outcome(report, file: file, damaged: bytes, comment)
      } catch {
        Issue.record(error, "\(comment)")
        return .hung
      }
    }
  }
}

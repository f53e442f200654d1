import Foundation
import SaverCore
import SaverTestKit

/// How many random cases a test tries, and what has come of them.
enum Trials {
  /// How long all tests of a torture run are to take together; `nil` in an ordinary run.
  private static let seconds = ProcessInfo.processInfo.environment["SAVER_FAULT_SECONDS"].flatMap(Double.init)
  private static let givenSeed = ProcessInfo.processInfo.environment["SAVER_FAULT_SEED"].flatMap { UInt64($0) }
  /// How many shares of the seconds there are: the sum of the weights.
  private static let shares = 66.0

  static var isTorture: Bool { seconds != nil }

  /// The seed of a test: always the same in an ordinary run.
  static func seed() -> UInt64 {
    givenSeed ?? (isTorture ? newSeed : 20_260_101)
  }

  private static let newSeed = UInt64.random(in: 0...999_999_999)

  /// How long a test with one long run may take, in milliseconds.
  static func milliseconds(ordinary: Int, torture: Int) -> Int { isTorture ? torture : ordinary }

  /// Runs a body for case 0, 1, 2 …: as many as an ordinary run has, or until the test's share of the time is used up, but
  /// at least `atLeast` of them.
  ///
  /// - Parameters:
  ///   - name: what is printed with the seed and the number of cases.
  ///   - weight: how many shares of the time.
  static func run(
    _ name: String, cases: Int, atLeast: Int = 0, weight: Double = 1,
    _ body: (Int, inout RandomGenerator) throws -> Void
  ) rethrows {
    let seed = seed()
    let clock = ContinuousClock()
    let start = clock.now
    let end = start.advanced(by: .seconds((seconds ?? 0) / shares * weight))
    var (done, failed) = (0, 0)
    while isTorture ? done < max(atLeast, 1) || clock.now < end : done < cases {
      // A case does not depend on those before it.
      var random = RandomGenerator(seed: seed &+ UInt64(done) &* 0x9e37_79b9_7f4a_7c15)
      let before = issues.withLock { $0 }
      try body(done, &random)
      if issues.withLock({ $0 }) != before { failed += 1 }
      done += 1
    }
    let time = Int(start.duration(to: clock.now) / .milliseconds(1))
    print("faults: \(name): \(done) cases in \(time) ms, seed \(seed)")
    note(name, done, failures: failed, seed: seed)
  }

  // MARK: What has come of it

  private struct Row {
    var kind: String
    var cases: Int
    var failures: Int
    var seed: UInt64?
  }

  private static let issues = Guarded(0)
  private static let rows = Guarded<[Row]>([])

  static func countIssue() { issues.withLock { $0 += 1 } }

  /// Adds a line to the table that is printed at the end.
  static func note(_ kind: String, _ cases: Int, failures: Int = 0, seed: UInt64? = nil) {
    _ = printsTable
    rows.withLock { $0.append(Row(kind: kind, cases: cases, failures: failures, seed: seed)) }
  }

  /// Prints it when the program ends.
  private static let printsTable: Void = {
    guard isTorture else { return }
    atexit {
      let rows = Trials.rows.withLock { $0 }
      print("\n| Kind | Cases | Failures | Seed |\n|---|---|---|---|")
      for row in rows {
        print("| \(row.kind) | \(row.cases) | \(row.failures) | \(row.seed.map { "\($0)" } ?? "") |")
      }
    }
  }()
}

extension RandomNumberGenerator {
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  mutating func chance(oneIn count: Int) -> Bool { below(count) == 0 }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

import Foundation
import Glibc
import Testing

/// Which calls of a child fail, and how.
struct DiskFault: CustomStringConvertible {
  /// Letters as `system_faults_break` has them.
  var calls: String
  /// 0 is a short write.
  var error: Int32
  /// The first of these calls that fails, counted from 1.
  var at = 1
  var count = 1

  /// What happens to the calls by which files are written and read.
  static let kinds = [
    DiskFault(calls: "w", error: ENOSPC), DiskFault(calls: "w", error: EIO), DiskFault(calls: "w", error: 0),
    DiskFault(calls: "s", error: EIO), DiskFault(calls: "s", error: ENOSPC), DiskFault(calls: "t", error: ENOSPC),
    DiskFault(calls: "t", error: EIO), DiskFault(calls: "o", error: EMFILE), DiskFault(calls: "o", error: EIO),
    DiskFault(calls: "wt", error: ENOSPC, count: 40), DiskFault(calls: "ws", error: EIO, count: 3),
    DiskFault(calls: "r", error: EIO), DiskFault(calls: "m", error: ENOMEM),
  ]

  /// The same, and to those by which files get their names and lose them.
  static let kindsWithNames =
    kinds + [DiskFault(calls: "n", error: EIO), DiskFault(calls: "n", error: ENOSPC, count: 2)]

  /// The step by which a child arms it for files whose path contains a text.
  func step(on path: String) -> String { "break:\(calls):\(error):\(at):\(count):\(path)" }

  var description: String {
    "calls \(calls) \(at)..<\(at + count): " + (error == 0 ? "short" : String(cString: strerror(error)))
  }

  /// Goes through kinds of faults: each fails the first of its calls, then the second, and so on, until a run in which none
  /// fails.
  ///
  /// - Parameter leap: the most by which it goes on at a time, so that all places are reached in the end.
  static func sweep(
    _ name: String, kinds: [DiskFault] = kinds, cases: Int, atLeast: Int = 1_000, weight: Double, leap: Int = 2,
    injectedMin: Int = 100, _ body: (FaultFolder, Worker, DiskFault, String) throws -> ChildReport
  ) throws {
    let folder = try FaultFolder()
    let worker = Worker()
    var next = [Int](repeating: 1, count: kinds.count)
    var codes: [String: Int] = [:]
    var (turn, injected) = (0, 0)
    let seed = Trials.seed()
    Trials.run(name, cases: cases, atLeast: atLeast, weight: weight) { _, random in
      var fault = kinds[turn % kinds.count]
      // The kinds in turn; each at the next place, with a leap now and then.
      fault.at = next[turn % next.count]
      if Trials.isTorture { fault.count = max(fault.count, random.pick([1, 1, 1, 2, 5])) }
      let comment = "\(name), \(fault), seed \(seed)"
      do {
        folder.empty()
        let report = try body(folder, worker, fault, comment)
        let failures = report["mend"].flatMap { Int($0.answer) } ?? 0
        injected += failures
        next[turn % next.count] = failures == 0 ? 1 : fault.at + random.pick([1, 1, leap])
        for code in Set(report.steps.compactMap(\.code)) { codes[code, default: 0] += 1 }
      } catch {
        Issue.record(error, "\(comment)")
      }
      turn += 1
    }
    Trials.note("\(name): errors injected", injected)
    print("faults: \(name): \(injected) errors injected; runs with each code: \(codes.sorted { $0.key < $1.key })")
    #expect(injected >= injectedMin)
  }
}

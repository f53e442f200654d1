import Foundation
import Testing

/// A store whose content follows from what was done to it, as the bytes of its file, to be damaged.
struct SampleStore {
  let engine: String
  let bytes: [UInt8]
  /// What a child says of it when it is whole.
  let read: String
  let queries: String
  let commits: String

  /// Makes one of some dozen transactions.
  static func make(_ engine: String, attempts: Int = 30, rows: Int = 10) throws -> SampleStore {
    let folder = try FaultFolder()
    let report = try ChildReport.run(
      engine, folder.base,
      ["make", "attempts:1:\(attempts):\(rows)", "read", "queries", "commits:\(rows)", "integrity"])
    try #require(report.isComplete && report["integrity"]?.answer == "", "\(report)")
    let log = FaultFolder.content(folder.file(engine) + "-wal") ?? []
    try #require(log.isEmpty, "the log was not written back")
    return SampleStore(
      engine: engine, bytes: try #require(FaultFolder.content(folder.file(engine))),
      read: try #require(report["read"]?.answer), queries: try #require(report["queries"]?.answer),
      commits: try #require(report["commits"]?.answer))
  }

  /// Made once for each engine.
  static func shared(_ engine: String) throws -> SampleStore {
    try #require(try made[engine]?.get())
  }

  private static let made = Dictionary(
    uniqueKeysWithValues: Programs.engines.map { engine in (engine, Result { try make(engine) }) })

  /// What a damaged copy came to.
  enum Outcome: Hashable, Comparable {
    /// All answers are those of the whole store.
    case right
    /// An error, when it was opened: the file is as it was.
    case refused
    /// An error that names the file or the row, of a step after opening.
    case reported
    /// A wrong answer, and the examination finds something.
    case foundByExamination
    /// A wrong answer, and nothing that the engine could notice.
    case unnoticed
    /// A signal ended the process.
    case crashed
    /// It took longer than a child may.
    case hung
  }

  /// The steps that a child does on a damaged copy.
  static let steps = ["alarm:20", "open", "read", "queries", "commits:10", "integrity", "write", "read"]

  /// Judges what a child said of a damaged copy.
  ///
  /// - Parameter file: the damaged file.
  /// - Returns: the outcome; records an issue for what may not happen to any engine.
  func outcome(_ report: ChildReport, file: String, damaged: [UInt8], _ comment: @autoclosure () -> String) -> Outcome {
    for step in report.steps {
      guard let code = step.code else { continue }
      // An error of a row names the row.
      let isNamed = step.path == file || step.path.hasPrefix(file) || code == "damagedRow" || step.isWithoutStore
      #expect(isNamed, "\(comment()): the error does not name the file: \(step.message)")
      #expect(code != "unexpected", "\(comment()): \(step.message)")
    }
    if report.signal == SIGALRM { return .hung }
    if let signal = report.signal {
      // What Swift traps on is our own code: never excused by a damaged file.
      #expect(![SIGILL, SIGTRAP].contains(signal), "\(comment()): our own code crashed\n\(report)")
      return .crashed
    }
    #expect(report.isComplete, "\(comment())\n\(report)")
    if report["open"]?.code != nil {
      #expect(FaultFolder.content(file) == damaged, "\(comment()): refused, and the file has changed")
      return .refused
    }
    let answers = [("read", read), ("queries", queries), ("commits", commits)]
    if answers.contains(where: { report[$0.0]?.code != nil }) { return .reported }
    if answers.allSatisfy({ report[$0.0]?.answer == $0.1 }) {
      // That the next write finds the damage is as good.
      return report.steps.contains { $0.code != nil } ? .reported : .right
    }
    return report["integrity"]?.answer == "" ? .unnoticed : .foundByExamination
  }
}

extension [SampleStore.Outcome: Int] {
  /// How often each, for people.
  var summary: String {
    sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }
}

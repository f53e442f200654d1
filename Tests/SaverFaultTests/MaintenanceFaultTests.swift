import Foundation
import Glibc
import Testing

extension FaultTests {
  /// System calls that fail, one after the other, while a store is backed up, restored, compacted, copied, or made to forget.
  ///
  /// Whatever fails: success, or one clear error that names a file; the store holds what it held, or after a restore what
  /// the backup holds; under the name that was asked for there is nothing, what was there, or a whole store; and the same
  /// works as soon as the fault is gone.
  @Suite struct MaintenanceFaultTests {
    @Test(arguments: Programs.engines) func backup(engine: String) throws {
      let sample = try SampleStore.make(engine, attempts: 12, rows: 3)
      let earlier = try SampleStore.make(engine, attempts: 5, rows: 3)
      var turn = 0
      try sweep("backup, \(engine)") { folder, worker, fault, comment in
        turn += 1
        let base = folder.path + "/copy"
        let trial = MaintenanceTrial(
          engine: engine, sample: sample, step: "backup:\(base)", again: "backup:\(base):over", comment: comment)
        return try trial.run(folder, worker, fault, existing: turn % 2 == 0 ? (engine, earlier) : nil)
      }
    }

    @Test(arguments: Programs.engines) func copy(engine: String) throws {
      let sample = try SampleStore.make(engine, attempts: 12, rows: 3)
      let earlier = try Programs.engines.map { ($0, try SampleStore.make($0, attempts: 5, rows: 3)) }
      var turn = 0
      try sweep("copy, \(engine)") { folder, worker, fault, comment in
        turn += 1
        let base = folder.path + "/copy"
        let existing = earlier[turn / 2 % earlier.count]
        let step = "copy:\(existing.0):\(base)"
        let trial = MaintenanceTrial(
          engine: engine, sample: sample, step: step, again: step + ":over", comment: comment)
        return try trial.run(folder, worker, fault, existing: turn % 2 == 0 ? existing : nil, target: existing.0)
      }
    }

    @Test(arguments: Programs.engines) func restore(engine: String) throws {
      let sample = try SampleStore.make(engine, attempts: 12, rows: 3)
      let backup = try SampleStore.make(engine, attempts: 6, rows: 3)
      try sweep("restore, \(engine)") { folder, worker, fault, comment in
        let path = folder.path + "/backup." + engine
        try folder.write(backup.bytes, to: path)
        let step = "restore:\(folder.path)/backup"
        var trial = MaintenanceTrial(engine: engine, sample: sample, step: step, again: step, comment: comment)
        trial.after = backup.read
        let report = try trial.run(folder, worker, fault)
        #expect(FaultFolder.content(path) == backup.bytes, "\(comment): the backup has changed")
        return report
      }
    }

    @Test(arguments: Programs.engines) func compacting(engine: String) throws {
      let sample = try SampleStore.make(engine, attempts: 12, rows: 3)
      try sweep("compacting, \(engine)") { folder, worker, fault, comment in
        let trial = MaintenanceTrial(
          engine: engine, sample: sample, step: "compact", again: "compact", comment: comment)
        return try trial.run(folder, worker, fault)
      }
    }

    /// The item is there as it was, or it is gone: from the rows, the history, and the bytes of all files, unless the answer
    /// says that traces are left.
    @Test(arguments: Programs.engines) func forgetting(engine: String) throws {
      let sample = try SampleStore.make(engine, attempts: 12, rows: 3)
      let step = "forget:11:2"
      let reference = try FaultFolder()
      try reference.write(sample.bytes, to: reference.file(engine))
      let plain = try ChildReport.run(engine, reference.base, ["open", step, "read"])
      let without = try #require(plain["read"]?.answer, "\(plain)")
      try #require(without != sample.read && plain["forget"]?.answer == "", "\(plain)")
      try sweep("forgetting, \(engine)") { folder, worker, fault, comment in
        var trial = MaintenanceTrial(engine: engine, sample: sample, step: step, again: step, comment: comment)
        trial.after = without
        // The item goes before its traces: an error behind that is said in the answer.
        trial.isFollowedByTraces = true
        let report = try trial.run(folder, worker, fault)
        for name in folder.names where !name.hasPrefix(".") {
          let bytes = Data(FaultFolder.content("\(folder.path)/\(name)") ?? [])
          #expect(
            bytes.firstRange(of: Data("attempt 11 row 2 ".utf8)) == nil, "\(comment): traces in \(name)\n\(report)")
        }
        return report
      }
    }

    private func sweep(
      _ name: String, _ body: (FaultFolder, Worker, DiskFault, String) throws -> ChildReport
    ) throws {
      try DiskFault.sweep(
        name, kinds: DiskFault.kindsWithNames, cases: 120, atLeast: 400, weight: 1, leap: 8, injectedMin: 30, body)
    }
  }
}

/// What is tried on one store, and what must hold whatever fails meanwhile.
struct MaintenanceTrial {
  let engine: String
  let sample: SampleStore
  /// What is done while calls fail, and what is done again when they do not.
  let step: String
  let again: String
  let comment: String
  /// What the store holds if the step was successful; `nil` if the same as before.
  var after: String?
  var isFollowedByTraces = false

  private var name: String { String(step.prefix { $0 != ":" }) }

  /// - Parameters:
  ///   - existing: what stands under the name that the step makes, of which engine.
  ///   - target: the engine of that name.
  func run(
    _ folder: FaultFolder, _ worker: Worker, _ fault: DiskFault, existing: (engine: String, sample: SampleStore)? = nil,
    target: String? = nil
  ) throws -> ChildReport {
    let target = target ?? engine
    let copy = folder.path + "/copy"
    try folder.write(sample.bytes, to: folder.file(engine))
    if let existing { try folder.write(existing.sample.bytes, to: "\(copy).\(existing.engine)") }
    let report = try worker.run(
      engine, folder.base,
      ["open", fault.step(on: folder.path), existing == nil ? step : again, "mend", "read"])
    #expect(report.isComplete, "\(comment)\n\(report)")
    let outcome = try expectClear(report, fault, folder, isReplacing: existing != nil, engines: [engine, target])
    let failures = report["mend"].flatMap { Int($0.answer) } ?? 0
    #expect(failures > 0 || outcome.code == nil, "\(comment): failed by itself\n\(report)")
    try expectContent(report, outcome)
    if name == "backup" || name == "copy" {
      try expectWhole(copy, target, worker, report, outcome, before: existing?.sample.read)
    }
    let left = folder.names.filter { $0.hasPrefix(".") }
    // Whoever can neither open nor remove anything leaves what the next one removes.
    let mayLeave = failures > 1 || fault.calls.contains("n") || fault.calls.contains("o")
    #expect(left.isEmpty || mayLeave, "\(comment): left behind: \(left)\n\(report)")
    try expectRecovery(folder, worker, report, copy, target)
    return report
  }

  /// The step's success, or an error that a person can do something with.
  private func expectClear(
    _ report: ChildReport, _ fault: DiskFault, _ folder: FaultFolder, isReplacing: Bool, engines: [String]
  ) throws -> ChildReport.Step {
    let outcome = try #require(report[name], "\(comment)\n\(report)")
    guard let code = outcome.code else { return outcome }
    var codes: Set = ["full", "inputOutput", "unsupportedFileSystem"]
    // What is made under another name first is there or not; what is committed to a store that is there may be.
    if name != "backup" && name != "compact" && (name != "copy" || isReplacing) { codes.insert("unknownOutcome") }
    // SQLite itself calls a page that the disk refuses to give a corrupt one.
    if engines.contains("sqlite") && fault.calls == "r" { codes.insert("corrupt") }
    #expect(codes.contains(code), "\(comment): no clear error\n\(report)")
    #expect(outcome.path.hasPrefix(folder.path), "\(comment): no file is named\n\(report)")
    #expect(!outcome.message.contains(".new-"), "\(comment): a name that nobody has given\n\(report)")
    return outcome
  }

  /// What the same process reads afterwards.
  private func expectContent(_ report: ChildReport, _ outcome: ChildReport.Step) throws {
    let read = try #require(report["read"], "\(comment)\n\(report)")
    // LMDB can let nobody go on before the store is opened again, and the next one to open it is asked.
    if engine == "lmdb" && outcome.code != nil && read.message.contains("Open it again") { return }
    #expect(read.code == nil, "\(comment): cannot be read\n\(report)")
    let whole: Set =
      switch outcome.code {
      case nil: [after ?? sample.read]
      case "unknownOutcome": [sample.read, after ?? sample.read]
      default: [sample.read]
      }
    #expect(whole.contains(read.answer), "\(comment): the store holds something else\n\(report)")
  }

  /// Under the name there is nothing, what was there, or all of it.
  private func expectWhole(
    _ copy: String, _ target: String, _ worker: Worker, _ report: ChildReport, _ outcome: ChildReport.Step,
    before: String?
  ) throws {
    let isThere = access("\(copy).\(target)", F_OK) == 0
    guard isThere else {
      #expect(outcome.code != nil && before == nil, "\(comment): is not there\n\(report)")
      return
    }
    let opened = try worker.run(target, copy, ["open", "read", "integrity"])
    let content = opened["read"]?.answer ?? ""
    #expect(opened.steps.allSatisfy { $0.code == nil }, "\(comment)\n\(report)\n\(opened)")
    #expect(opened["integrity"]?.answer == "", "\(comment)\n\(report)\n\(opened)")
    if outcome.code == nil {
      #expect(content == sample.read, "\(comment): another content\n\(report)\n\(opened)")
    } else if before == nil {
      Issue.record("\(comment): an error, and a file of the name\n\(report)\n\(opened)")
    } else {
      #expect(content == before || content == sample.read, "\(comment): neither of both\n\(report)\n\(opened)")
    }
  }

  /// The same works again, and so does everything else.
  private func expectRecovery(
    _ folder: FaultFolder, _ worker: Worker, _ report: ChildReport, _ copy: String, _ target: String
  ) throws {
    let next = try worker.run(engine, folder.base, ["open", again, "read", "write", "integrity", "history"])
    #expect(
      next.isComplete && next.steps.allSatisfy { $0.code == nil }, "\(comment): does not go on\n\(report)\n\(next)")
    #expect(next["read"]?.answer == after ?? sample.read, "\(comment)\n\(report)\n\(next)")
    #expect(next["integrity"]?.answer == "", "\(comment)\n\(report)\n\(next)")
    #expect(!isFollowedByTraces || next[name]?.answer == "", "\(comment)\n\(report)\n\(next)")
    // A branch begins behind a gap.
    if name != "restore" { #expect(next["history"]?.answer == "", "\(comment)\n\(report)\n\(next)") }
    if name == "backup" || name == "copy" {
      let opened = try worker.run(target, copy, ["open", "read", "integrity"])
      #expect(opened["read"]?.answer == sample.read, "\(comment)\n\(next)\n\(opened)")
      #expect(opened["integrity"]?.answer == "", "\(comment)\n\(next)\n\(opened)")
    }
  }
}

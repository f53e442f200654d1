import Foundation
import Glibc
import Testing

extension FaultTests {
  /// System calls that fail, one after the other, in every place where an engine makes one.
  ///
  /// Whatever fails: a clear error or success; what was acknowledged is there; what was refused is not, unless the error
  /// said that it may be; and the next write works as soon as the fault is gone.
  @Suite struct DiskFaultTests {
    private static let attempts = 4

    @Test(arguments: Programs.engines) func writing(engine: String) throws {
      let sample = try SampleStore.make(engine, attempts: 12, rows: 3)
      let existing = Set(5...12)
      try DiskFault.sweep("writing, \(engine)", cases: 260, weight: 2) { folder, worker, fault, comment in
        try folder.write(sample.bytes, to: folder.file(engine))
        let report = try worker.run(
          engine, folder.base,
          [
            fault.step(on: folder.base), "open", "attempts:13:\(Self.attempts)", "commits", "close", "open",
            "attempts:17:2", "commits", "mend",
          ])
        #expect(report.isComplete, "\(comment)\n\(report)")
        try expectKept(engine, folder, worker, fault, report, before: existing, comment)
        expectRecovery(engine, fault, report, comment)
        return report
      }
    }

    @Test(arguments: Programs.engines) func making(engine: String) throws {
      try DiskFault.sweep("making, \(engine)", cases: 200, weight: 2) { folder, worker, fault, comment in
        let report = try worker.run(
          engine, folder.base,
          [
            fault.step(on: folder.path + "/"), "make", "close", "make", "attempts:20:1", "close", "open",
            "attempts:21:1", "commits", "mend",
          ])
        #expect(report.isComplete, "\(comment)\n\(report)")
        // Whatever failed, no half store: there is a whole one or none.
        let after = try worker.run(engine, folder.base, ["make", "commits", "integrity"])
        #expect(after["make"]?.code == nil && after["integrity"]?.answer == "", "\(comment)\n\(report)\n\(after)")
        try expectKept(engine, folder, worker, fault, report, before: [], comment)
        expectRecovery(engine, fault, report, comment)
        let rest = folder.names.filter { $0.hasPrefix(".") }
        #expect(rest.isEmpty || fault.calls != "w", "\(comment): left behind: \(rest)")
        return report
      }
    }

    // MARK: What must hold

    private func expectKept(
      _ engine: String, _ folder: FaultFolder, _ worker: Worker, _ fault: DiskFault, _ report: ChildReport,
      before: Set<Int>, _ comment: String
    ) throws {
      var sure = before
      var possible = before
      for step in report.steps {
        if let code = step.code, !step.isWithoutStore {
          #expect(codes(engine, fault, step).contains(code), "\(comment): no clear error\n\(report)")
          #expect(!step.path.isEmpty, "\(comment): no file is named\n\(report)")
        }
        guard step.name == "attempt", let number = Int(step.answer) else { continue }
        if step.code == nil { sure.insert(number) }
        if step.code == nil || step.code == "unknownOutcome" { possible.insert(number) }
      }
      // What the process itself saw of its own commits, and what another one sees.
      let after = try worker.run(engine, folder.base, ["make", "commits", "integrity", "attempts:90:1", "commits"])
      for commits in report.steps + after.steps where commits.name == "commits" && commits.code == nil {
        let there = Set(commits.answer.split(separator: " ").compactMap { Int($0) })
        #expect(!commits.answer.hasPrefix("torn"), "\(comment)\n\(report)\n\(after)")
        #expect(there.subtracting([90]).isSubset(of: possible), "\(comment): refused, and there\n\(report)\n\(after)")
      }
      let there = Set((after["commits"]?.answer ?? "").split(separator: " ").compactMap { Int($0) })
      // What a later attempt has taken away need not be there.
      sure = sure.filter { !possible.contains($0 + 8) }
      #expect(sure.isSubset(of: there), "\(comment): acknowledged, and lost\n\(report)\n\(after)")
      #expect(after.isComplete && after["integrity"]?.answer == "", "\(comment)\n\(report)\n\(after)")
      #expect(after["attempt"]?.code == nil && after.steps.allSatisfy { $0.code == nil }, "\(comment)\n\(after)")
    }

    /// What a step may say of a fault.
    private func codes(_ engine: String, _ fault: DiskFault, _ step: ChildReport.Step) -> Set<String> {
      var codes: Set = ["full", "inputOutput", "unknownOutcome", "unsupportedFileSystem"]
      // SQLite itself calls a page that the disk refuses to give a corrupt one.
      if engine == "sqlite" && fault.calls == "r" { codes.insert("corrupt") }
      // Where LMDB could not write a meta page, it lets nobody go on before the store is opened again.
      if engine == "lmdb" && step.message.contains("Open it again") { codes.insert("internalError") }
      // A store that could not be made is not there afterwards.
      if step.name == "open" { codes.insert("noSuchStore") }
      return codes
    }

    /// One fault is one failure: what comes after it works, in the same process. Where LMDB could not write a meta page,
    /// from the next opening on.
    private func expectRecovery(_ engine: String, _ fault: DiskFault, _ report: ChildReport, _ comment: String) {
      guard fault.count == 1 else { return }
      let failures = report.steps.filter { $0.code != nil && !$0.isWithoutStore && $0.code != "internalError" }
      #expect(failures.count <= 1, "\(comment): one fault, \(failures.count) failures\n\(report)")
      guard let last = report.last("attempt"), !last.isWithoutStore, failures.first != last else { return }
      let opening = report.steps.suffix(from: report.steps.lastIndex { $0.name == "open" } ?? 0)
      if engine == "lmdb", last.code == "internalError", opening.contains(where: { $0 == failures.first }) { return }
      #expect(last.code == nil, "\(comment): does not go on\n\(report)")
    }
  }
}

import SaverCore

/// A fault that engines have, put into a sound one on purpose: the suite must notice it.
///
/// A suite that lets a canary pass would let the same fault of a real engine pass.
public struct Canary: Identifiable, Sendable {
  public let id: String
  /// What the engine does wrong, in one sentence.
  public let summary: String
  /// Ids of checks that must fail, among others.
  public let caughtBy: [String]
  /// Whether the fault shows only in stores that outlive the process.
  public let needsPersistence: Bool
  let fault: Fault

  init(
    _ id: String, _ summary: String, caughtBy: [String], needsPersistence: Bool = false, _ fault: Fault
  ) {
    self.id = id
    self.summary = summary
    self.caughtBy = caughtBy
    self.needsPersistence = needsPersistence
    self.fault = fault
  }

  /// The subject, with stores that have the fault.
  public func breaking(_ subject: ConformanceSubject) -> ConformanceSubject {
    let fault = fault
    var broken = ConformanceSubject(
      name: "\(subject.name) (\(id))", capabilities: subject.capabilities, usesIndexes: subject.usesIndexes
    ) { location, types in
      var location = location
      if let change = fault.history.retention { location.history = change(location.history) }
      return BrokenEngine.store(try subject.open(location, types), fault)
    }
    if let copy = fault.maintenance.copy, let sound = subject.copy {
      broken.copy = copy.breaking(sound, subject.open)
    }
    broken.patienceSeconds = 3
    return broken
  }

  /// Runs the checks that must notice the fault, and returns the ids of those that did not.
  public func checksThatMissIt(on subject: ConformanceSubject) -> [String] {
    let broken = breaking(subject)
    return caughtBy.filter { id in
      guard let check = ConformanceSuite.check(id) else { return true }
      do {
        try check.run(on: broken)
        return true
      } catch {
        return false
      }
    }
  }
}

extension Canary: CustomStringConvertible {
  public var description: String { id }
}

public import SaverCore

/// Random operations on a store and on a reference that is simple enough to be right, compared after each step.
///
///     let reference = try MemoryBackend.open(location, types: ModelTest.recordTypes, configuration: .init())
///     try ModelTest(seed: seed, steps: 200).run(on: subject, reference: reference)
///
/// A persistent store is closed and opened again now and then. The seed repeats a run exactly; a failure names it.
public struct ModelTest: Sendable {
  public var seed: UInt64
  public var steps: Int

  public init(seed: UInt64, steps: Int) {
    self.seed = seed
    self.steps = steps
  }

  /// What the reference must be opened with.
  public static var recordTypes: [RecordType] { [Specimen.recordType, IndexedSpecimen.recordType] }

  /// - Parameter reference: an empty store.
  /// - Throws: ``ConformanceFailure`` with the seed, the step and the operations that led there.
  public func run(on subject: ConformanceSubject, reference: Store) throws {
    try TemporaryFolder.with { folder in
      let location = StoreLocation(base: "\(folder)/model")
      var run = ModelRun(store: try subject.open(location, Self.recordTypes), reference: reference, seed: seed)
      for step in 1...max(steps, 1) {
        do {
          if subject.capabilities.isPersistent, run.random.chance(oneIn: 25) {
            try run.reopen { try subject.open(location, Self.recordTypes) }
          } else if run.random.chance(oneIn: 2) {
            try run.step(Specimen.self) { $0 }
          } else {
            try run.step(IndexedSpecimen.self, IndexedSpecimen.init)
          }
          if step % 10 == 0 || step == steps { try run.compareEverything() }
        } catch {
          let last = run.operations.suffix(8).joined(separator: "\n  ")
          throw ConformanceFailure(
            check: "model", message: "seed \(seed), step \(step), on \(subject.name): \(error)\n  \(last)")
        }
      }
    }
  }
}

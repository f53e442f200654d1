#if SQLite
import SaverCore
import SaverMemory
import SaverSQLite
import SaverTestKit
import Testing

/// The engine keeps every promise of the suite, and agrees with the reference on random operations.
@Suite struct ConformanceTests {
  static let subject = ConformanceSubject(
    SQLiteBackend.self,
    capabilities: StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: true))

  @Test(arguments: ConformanceSuite.checks)
  func conforms(_ check: ConformanceCheck) throws {
    try check.run(on: Self.subject)
  }

  @Test(arguments: Canary.all.filter(\.needsPersistence))
  func faultIsNoticed(_ canary: Canary) {
    #expect(canary.checksThatMissIt(on: Self.subject) == [])
  }

  @Test(arguments: 0..<4)
  func agreesWithTheReference(_ run: Int) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("ModelTest seed: \(seed)")
    let reference = try MemoryBackend.open(
      StoreLocation(base: "reference"), types: ModelTest.recordTypes, configuration: MemoryBackend.Configuration())
    try ModelTest(seed: seed, steps: 150).run(on: Self.subject, reference: reference)
  }

  @Test func searchesAgreeWithTheReference() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("SearchModelTest seed: \(seed)")
    let reference = try MemoryBackend.open(
      StoreLocation(base: "reference"), types: SearchModelTest.recordTypes,
      configuration: MemoryBackend.Configuration())
    try SearchModelTest(seed: seed, records: 2_000, searches: 24).run(on: Self.subject, reference: reference)
  }

  @Test(arguments: 0..<3)
  func liveQueriesAgree(_ run: Int) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("LiveModelTest seed: \(seed)")
    try LiveModelTest(seed: seed, steps: 60).run(on: Self.subject)
  }
}
#endif

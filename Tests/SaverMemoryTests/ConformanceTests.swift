import SaverCore
import SaverMemory
import SaverTestKit
import Testing

/// The reference engine keeps every promise that it makes. It looks at every row, and forgets what it holds.
@Suite struct ConformanceTests {
  static let subject = ConformanceSubject(
    MemoryBackend.self,
    capabilities: StoreCapabilities(isShared: false, isPersistent: false, acceptsForeignWriters: false),
    usesIndexes: false)

  @Test(arguments: ConformanceSuite.checks)
  func conforms(_ check: ConformanceCheck) throws {
    try check.run(on: Self.subject)
  }

  @Test func idsAreUnique() {
    let ids = ConformanceSuite.checks.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { ConformanceSuite.check($0)?.id == $0 })
  }
}

import SaverCore
import SaverMemory
import SaverTestKit
import Testing

/// The suite notices every fault that is put into the reference engine.
@Suite struct ConformanceCanaryTests {
  @Test(arguments: Canary.all.filter { !$0.needsPersistence })
  func isNoticed(_ canary: Canary) {
    // The reference makes no promise about what it reads, and is held to it here all the same: by itself it fails too.
    let subject = canary.id.hasPrefix("cost.") ? Self.indexing : ConformanceTests.subject
    #expect(!canary.caughtBy.isEmpty)
    #expect(canary.checksThatMissIt(on: subject) == [])
  }

  private static let indexing = ConformanceSubject(
    MemoryBackend.self, capabilities: ConformanceTests.subject.capabilities)

  @Test func idsAreUnique() {
    let ids = Canary.all.map(\.id)
    #expect(Set(ids).count == ids.count)
  }
}

import SaverCore
import SaverMemory
import SaverTestKit
import Testing

/// Random operations: the reference agrees with itself, and a fault in one of two shows.
@Suite struct ConformanceModelTests {
  @Test func agreesWithItself() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("ModelTest seed: \(seed)")
    try ModelTest(seed: seed, steps: 150).run(on: ConformanceTests.subject, reference: try Self.reference())
  }

  @Test(arguments: 0..<3)
  func liveQueriesAgree(_ run: Int) throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("LiveModelTest seed: \(seed)")
    try LiveModelTest(seed: seed, steps: 60).run(on: ConformanceTests.subject)
  }

  @Test(arguments: [
    "update.keepsTags", "delete.forgets", "filter.lessOrNil", "order.forgetsTies", "count.ignoresLimit",
  ])
  func noticesFaults(_ id: String) throws {
    let canary = try #require(Canary.all.first { $0.id == id })
    #expect(throws: ConformanceFailure.self) {
      try ModelTest(seed: 1, steps: 400).run(
        on: canary.breaking(ConformanceTests.subject), reference: try Self.reference())
    }
  }

  @Test func searchesAgree() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("SearchModelTest seed: \(seed)")
    try SearchModelTest(seed: seed, records: 200, searches: 12).run(
      on: ConformanceTests.subject, reference: try Self.reference(SearchModelTest.recordTypes))
  }

  @Test(arguments: ["update.keepsTags", "order.forgetsTies", "count.ignoresLimit"])
  func searchesNoticeFaults(_ id: String) throws {
    let canary = try #require(Canary.all.first { $0.id == id })
    #expect(throws: ConformanceFailure.self) {
      try SearchModelTest(seed: 1, records: 100, searches: 30).run(
        on: canary.breaking(ConformanceTests.subject), reference: try Self.reference(SearchModelTest.recordTypes))
    }
  }

  @Test func repeatsItself() throws {
    let canary = try #require(Canary.all.first { $0.id == "filter.notEqualDropsNil" })
    let messages = try (0..<2).map { _ in
      try #require(throws: ConformanceFailure.self) {
        try ModelTest(seed: 42, steps: 400).run(
          on: canary.breaking(ConformanceTests.subject), reference: try Self.reference())
      }.message
    }
    #expect(messages[0] == messages[1])
    #expect(messages[0].hasPrefix("seed 42, step "))
  }

  private static func reference(_ types: [RecordType] = ModelTest.recordTypes) throws -> Store {
    try MemoryBackend.open(
      StoreLocation(base: "reference"), types: types, configuration: MemoryBackend.Configuration())
  }
}

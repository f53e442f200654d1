import Foundation
import Testing

@Suite(.serialized) struct ConcurrencyTests {
  /// Case 21: many processes at once, on a store that none of them finds.
  @Test(arguments: Program.fileEngines, [16, 50]) func firstUseByMany(engine: String, count: Int) throws {
    let sandbox = try CommandSandbox(engine)
    let processes = try (0..<count).map { try sandbox.start(["share", "text \($0)"]) }
    let outcomes = try processes.map { try $0.wait() }
    for outcome in outcomes { #expect(outcome.exitCode == 0 && outcome.stderr == "", "\(outcome.stderr)") }
    #expect(Set(try sandbox.items().map(\.id)) == Set(outcomes.flatMap(\.lines)))
    #expect(Set(try sandbox.texts()) == Set((0..<count).map { "text \($0)" }))
    #expect(try sandbox.run("doctor").exitCode == 0)
  }

  /// One link shared by many at once is one item.
  @Test(arguments: Program.fileEngines) func oneLinkByMany(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let processes = try (0..<16).map { try sandbox.start(["share", "https://example.org/", "--tag", "t\($0)"]) }
    let outcomes = try processes.map { try $0.wait() }
    #expect(outcomes.allSatisfy { $0.exitCode == 0 })
    #expect(Set(outcomes.flatMap(\.lines)).count == 1)
    let items = try sandbox.items()
    #expect(items.count == 1 && Set(items[0].tags) == Set((0..<16).map { "t\($0)" }))
  }

  /// Case 18: a thousand items of one instant.
  @Test(arguments: Program.fileEngines) func thousandOfOneInstant(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let input = Data((0..<200).map { "line \($0)\n" }.joined().utf8)
    let processes = try (0..<5).map { number in
      try sandbox.start(
        ["share", "--lines", "--title", "\(number)"], stdin: input,
        environment: ["SAVER_TEST_NOW": "2026-01-02T03:04:05Z"])
    }
    let outcomes = try processes.map { try $0.wait() }
    #expect(outcomes.allSatisfy { $0.exitCode == 0 })
    let items = try sandbox.items()
    #expect(items.count == 1_000 && Set(items.map(\.id)).count == 1_000)
    #expect(try sandbox.items() == items)
    #expect(try sandbox.items("--sort", "createdAt:asc") == items.reversed())
    #expect(Set(items.map(\.createdAt)) == ["2026-01-02T03:04:05.000Z"])
  }

  /// Case 19: the clock set back; the order stays total, and a link that is shared again is still on top.
  @Test(arguments: Program.fileEngines) func theClockSetBack(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    func at(_ day: Int) -> [String: String?] { ["SAVER_TEST_NOW": "2026-01-0\(day)T00:00:00Z"] }
    let link = try sandbox.share("https://example.org/", environment: at(1))
    let third = try sandbox.share("third", environment: at(3))
    let second = try sandbox.share("second", environment: at(2))
    #expect(try sandbox.items().map(\.id) == [third, second, link])
    try sandbox.share("https://example.org/", environment: at(2))
    #expect(try sandbox.items().map(\.id) == [link, third, second])
    try #require(try sandbox.run(["edit", third, "--title", "t"], environment: at(1)).exitCode == 0)
    for item in try sandbox.items() {
      // The second sharing put the link above what the clock said.
      #expect(item.updatedAt >= item.createdAt || item.createdAt == "2026-01-03T00:00:00.001Z")
    }
  }
}

import Foundation
import SaverCLI
import Testing

/// What does not depend on the local zone.
@Suite struct DatesExpressionTests {
  /// 2026-01-02T03:04:05.678Z
  private let now = EpochMilliseconds(1_767_323_045_678)

  @Test(arguments: [
    ("2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"), ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"),
    ("2026-01-02t03:04:05z", "2026-01-02T03:04:05.000Z"), ("2026-01-02 03:04:05+05:30", "2026-01-01T21:34:05.000Z"),
    ("2026-01-02T03:04:05-08:00", "2026-01-02T11:04:05.000Z"), ("2026-01-02T03:04Z", "2026-01-02T03:04:00.000Z"),
    ("2016-09-08T11:55:58+0200", "2016-09-08T09:55:58.000Z"),
    ("2026-01-02T03:04:05.6789999Z", "2026-01-02T03:04:05.678Z"),
    ("2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05.500Z"), ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
    ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"), ("2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05.000Z"),
    ("15m", "2026-01-02T02:49:05.678Z"), ("2h", "2026-01-02T01:04:05.678Z"), ("3d", "2025-12-30T03:04:05.678Z"),
    ("1w", "2025-12-26T03:04:05.678Z"), ("5s", "2026-01-02T03:04:00.678Z"), ("1d 2h", "2026-01-01T01:04:05.678Z"),
    ("1d2h", "2026-01-01T01:04:05.678Z"), ("0d", "2026-01-02T03:04:05.678Z"),
  ])
  func reads(text: String, instant: String) throws {
    #expect(DateText.rfc3339(try #require(DateExpression.parse(text, now: now))) == instant)
  }

  @Test(arguments: [
    "", " ", "garbage", "2026", "2026-1-2", "2026-02-30", "2023-02-29", "1900-02-29", "2026-13-01", "2026-00-01",
    "2026-01-00",
    "2026-01-02 25:00", "2026-01-02 24:00", "2026-01-02 03:60", "2026-01-02 03:04:60", "2026-01-02 03", "2026-01-02T",
    "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05+24:00", "2026-01-02T03:04:05+01:60", "2026-01-02T03:04:05+1",
    "2026-01-02Z",
    "2026-01-02T03:04:05Zx", " 2026-01-02", "2026-01-02 ", "20260102", "２０２６-01-02", "2026-02-30T00:00:00Z",
    "2026-01-02T03:04:61Z", "3", "d", "3x", "3d x", "-3d", "3.5d", "3 d", "9999999999d", "999999999w", "Today",
    "tomorrow",
    "+012026-01-02", "+2026-01-02T00:00:00Z", "+999999999-01-01T00:00:00Z",
    "2026-01-02T03:04:05.000000000000000000000000000000000000000000000000x",
  ])
  func refuses(text: String) {
    #expect(DateExpression.parse(text, now: now) == nil)
  }

  @Test func asAnArgument() throws {
    let from = Option("from", .date(), help: "Only newer ones.")
    let tool = Tool("t", abstract: "", commands: [Command("list", abstract: "", parameters: [from])])
    guard case .run(_, let values) = try tool.parse(["list", "--from", "1970-01-01T00:00:01.5Z"]) else {
      Issue.record("No command")
      return
    }
    #expect(values[from]?.timeIntervalSince1970 == 1.5)
    do throws(UsageError) {
      _ = try tool.parse(["list", "--from", "2026-02-30"])
      Issue.record("Accepted")
    } catch {
      #expect(error.message.hasPrefix("invalid value '2026-02-30' for '--from': expected 2026-01-02,"))
    }
  }
}

import Glibc
import SaverCLI
import Testing

/// Local time in several zones. The zone belongs to the process, so these run one after another and put it back.
@Suite(.serialized) struct DatesZoneTests {
  private func inZone<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
    let before = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", name, 1)
    tzset()
    defer {
      if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
      tzset()
    }
    return try body()
  }

  private func utc(_ text: String, now: String = "2026-01-02T03:04:05.678Z") throws -> String {
    let now = try #require(DateExpression.parse(now, now: EpochMilliseconds(0)))
    return DateText.rfc3339(try #require(DateExpression.parse(text, now: now)))
  }

  private func expect(
    _ text: String, now: String = "2026-01-02T03:04:05.678Z", is instant: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let read = try utc(text, now: now)
    #expect(read == instant, sourceLocation: location)
  }

  @Test(arguments: [
    ("America/Los_Angeles", "2026-01-02", "2026-01-02T08:00:00.000Z"),
    ("America/Los_Angeles", "2026-07-02 03:04", "2026-07-02T10:04:00.000Z"),
    ("America/Los_Angeles", "2026-01-02T03:04:05", "2026-01-02T11:04:05.000Z"),
    ("America/Los_Angeles", "2026-01-02 03:04:05.25", "2026-01-02T11:04:05.250Z"),
    ("Asia/Kolkata", "2026-01-02", "2026-01-01T18:30:00.000Z"),
    ("Asia/Kolkata", "2026-07-02 03:04:05", "2026-07-01T21:34:05.000Z"),
    ("UTC", "2026-07-02 03:04:05", "2026-07-02T03:04:05.000Z"),
    // Set forward on 2026-03-08 from 02:00 to 03:00.
    ("America/Los_Angeles", "2026-03-08 01:59:59", "2026-03-08T09:59:59.000Z"),
    ("America/Los_Angeles", "2026-03-08 02:30", "2026-03-08T10:30:00.000Z"),
    ("America/Los_Angeles", "2026-03-08 03:00", "2026-03-08T10:00:00.000Z"),
    // Set back on 2026-11-01 from 02:00 to 01:00: the first 01:30.
    ("America/Los_Angeles", "2026-11-01 00:59", "2026-11-01T07:59:00.000Z"),
    ("America/Los_Angeles", "2026-11-01 01:30", "2026-11-01T08:30:00.000Z"),
    ("America/Los_Angeles", "2026-11-01 02:00", "2026-11-01T10:00:00.000Z"),
    // A midnight that was skipped, and a whole day.
    ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"),
    ("Pacific/Apia", "2011-12-30 12:00", "2011-12-30T22:00:00.000Z"),
    ("Australia/Lord_Howe", "2026-01-02 12:00", "2026-01-02T01:00:00.000Z"),
  ])
  func readsLocalTime(zone: String, text: String, instant: String) throws {
    try inZone(zone) {
      let read = try utc(text)
      #expect(read == instant)
    }
  }

  @Test func daysBeginAtLocalMidnight() throws {
    try inZone("America/Los_Angeles") {
      try expect("today", is: "2026-01-01T08:00:00.000Z")
      try expect("yesterday", is: "2025-12-31T08:00:00.000Z")
      // The day after the clocks were set forward: yesterday began 23 hours before today.
      try expect("today", now: "2026-03-09T12:00:00Z", is: "2026-03-09T07:00:00.000Z")
      try expect("yesterday", now: "2026-03-09T12:00:00Z", is: "2026-03-08T08:00:00.000Z")
    }
    try inZone("Asia/Kolkata") {
      try expect("today", is: "2026-01-01T18:30:00.000Z")
      try expect("today", now: "2026-01-01T18:29:59Z", is: "2025-12-31T18:30:00.000Z")
    }
  }

  @Test func anAgeIsElapsedTime() throws {
    try inZone("America/Los_Angeles") {
      try expect("1d", now: "2026-03-09T00:00:00Z", is: "2026-03-08T00:00:00.000Z")
    }
  }

  @Test(arguments: [
    ("America/Los_Angeles", "2026-01-01 19:04 -08:00", "2026-01-01 19:04:05 -08:00"),
    ("Asia/Kolkata", "2026-01-02 08:34 +05:30", "2026-01-02 08:34:05 +05:30"),
    ("Europe/Berlin", "2026-01-02 04:04 +01:00", "2026-01-02 04:04:05 +01:00"),
    ("UTC", "2026-01-02 03:04 +00:00", "2026-01-02 03:04:05 +00:00"),
    ("", "2026-01-02 03:04 +00:00", "2026-01-02 03:04:05 +00:00"),
  ])
  func writesLocalTime(zone: String, short: String, long: String) {
    inZone(zone) {
      let instant = EpochMilliseconds(1_767_323_045_678)
      #expect(DateText.local(instant) == short)
      #expect(DateText.localWithSeconds(instant) == long)
    }
  }

  @Test func offsetsOfLongAgoHaveSeconds() {
    inZone("America/Los_Angeles") {
      // Local mean time, 7:52:58 behind.
      #expect(DateText.localWithSeconds(EpochMilliseconds(-2_840_140_800_000)) == "1879-12-31 16:07:02 -07:52:58")
    }
  }

  /// What a person reads, typed in again, is the same minute: every half hour of a year.
  @Test(arguments: ["America/Los_Angeles", "Asia/Kolkata", "Australia/Lord_Howe"])
  func whatIsShownIsUnderstood(zone: String) throws {
    try inZone(zone) {
      for halfHour in 0..<(365 * 48) {
        let instant = EpochMilliseconds(1_767_225_600_000 + Int64(halfHour) * 1_800_000)
        let shown = DateText.local(instant)
        let offset = shown.suffix(6)
        let exact = shown.prefix(16) + offset
        #expect(DateExpression.parse(String(exact), now: instant) == instant)
        let local = try #require(DateExpression.parse(String(shown.prefix(16)), now: instant))
        // Shown twice a year: then the first is meant.
        #expect(local == instant || (local < instant && DateText.local(local).prefix(16) == shown.prefix(16)))
      }
    }
  }
}

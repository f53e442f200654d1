import Foundation
import SaverCLI
import Testing

@Suite struct DatesTextTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (1_767_323_045_678, "2026-01-02T03:04:05.678Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
    (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"), (-62_135_596_800_001, "0000-12-31T23:59:59.999Z"),
    (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"), (Int64.max, "+292278994-08-17T07:12:55.807Z"),
    (Int64.min, "-292275055-05-16T16:47:04.192Z"),
  ])
  func rfc3339(milliseconds: Int64, text: String) {
    #expect(DateText.rfc3339(EpochMilliseconds(milliseconds)) == text)
  }

  /// Against Foundation's own formatter.
  @Test func agreesWithFoundation() {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for day in stride(from: -25_500, to: 100_000, by: 7) {
      let instant = EpochMilliseconds(Int64(day) * 86_400_000 + Int64(day.magnitude * 997 % 86_400) * 1000 + 250)
      #expect(DateText.rfc3339(instant) == instant.date.formatted(format))
    }
  }

  @Test func everyMillisecondSurvivesADate() {
    for value in stride(from: Int64(1_767_323_045_000), to: 1_767_323_047_000, by: 1) {
      #expect(EpochMilliseconds(EpochMilliseconds(value).date).value == value)
    }
    #expect(EpochMilliseconds(Date(timeIntervalSince1970: 1e300)).value == .max)
    #expect(EpochMilliseconds(Date(timeIntervalSince1970: -1e300)).value == .min)
  }

  @Test func whatIsWrittenIsRead() {
    let values: [Int64] = [0, -1, 253_402_300_800_000, -62_167_219_200_001, 1_767_323_045_678, -62_135_596_800_001]
    for value in values {
      let text = DateText.rfc3339(EpochMilliseconds(value))
      #expect(DateExpression.parse(text, now: EpochMilliseconds(0))?.value == value, "\(text)")
    }
  }
}

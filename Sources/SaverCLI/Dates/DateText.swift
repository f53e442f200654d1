package import FoundationEssentials

/// Dates as text: RFC 3339 in UTC for data, local time with its offset for people.
package enum DateText {
  /// `2026-01-02T03:04:05.678Z`: RFC 3339 in UTC with milliseconds, always 24 bytes for the years 0000 to 9999.
  ///
  /// RFC 3339 knows no other years; they are written as ISO 8601 allows, with a sign and at least six digits
  /// (`+010000-01-01T00:00:00.000Z`), and `DateExpression` reads that.
  package static func rfc3339(_ instant: EpochMilliseconds) -> String {
    var digits = DateDigits()
    let time = CivilTime(milliseconds: instant.value)
    digits.append(date: time)
    digits.append("T")
    digits.append(time.hour, width: 2)
    digits.append(":")
    digits.append(time.minute, width: 2)
    digits.append(":")
    digits.append(time.second, width: 2)
    digits.append(".")
    digits.append(time.millisecond, width: 3)
    digits.append("Z")
    return digits.text
  }

  package static func rfc3339(_ date: Date) -> String {
    rfc3339(EpochMilliseconds(date))
  }

  /// `2026-01-02 04:04 +01:00`: local time for people.
  package static func local(_ instant: EpochMilliseconds) -> String {
    local(instant, showsSeconds: false)
  }

  package static func local(_ date: Date) -> String {
    local(EpochMilliseconds(date))
  }

  /// `2026-01-02 04:04:05 +01:00`: local time for people who look closely.
  package static func localWithSeconds(_ instant: EpochMilliseconds) -> String {
    local(instant, showsSeconds: true)
  }

  package static func localWithSeconds(_ date: Date) -> String {
    localWithSeconds(EpochMilliseconds(date))
  }

  private static func local(_ instant: EpochMilliseconds, showsSeconds: Bool) -> String {
    var digits = DateDigits()
    let time = LocalClock.civilTime(at: instant)
    digits.append(date: time)
    digits.append(" ")
    digits.append(time.hour, width: 2)
    digits.append(":")
    digits.append(time.minute, width: 2)
    if showsSeconds {
      digits.append(":")
      digits.append(time.second, width: 2)
    }
    digits.append(" ")
    digits.append(offsetSeconds: LocalClock.offsetSeconds(at: instant))
    return digits.text
  }
}

/// The digits of a date, put together without a formatter.
private struct DateDigits {
  private var bytes: [UInt8] = []

  init() {
    bytes.reserveCapacity(32)
  }

  var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  mutating func append(_ character: Unicode.Scalar) {
    bytes.append(UInt8(ascii: character))
  }

  /// At least `width` digits.
  mutating func append(_ number: Int, width: Int) {
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  mutating func append(date: CivilTime) {
    if (0...9999).contains(date.year) {
      append(date.year, width: 4)
    } else {
      append(date.year < 0 ? "-" : "+")
      append(abs(date.year), width: 6)
    }
    append("-")
    append(date.month, width: 2)
    append("-")
    append(date.day, width: 2)
  }

  /// `+01:00`; seconds, which zones had before standard time, only where there are any.
  mutating func append(offsetSeconds: Int) {
    append(offsetSeconds < 0 ? "-" : "+")
    let seconds = abs(offsetSeconds)
    append(seconds / 3600, width: 2)
    append(":")
    append(seconds / 60 % 60, width: 2)
    if seconds % 60 != 0 {
      append(":")
      append(seconds % 60, width: 2)
    }
  }
}

internal import FoundationEssentials

/// A date as a person writes it on a command line.
///
/// - RFC 3339: `2026-01-02T03:04:05.678Z`, `2026-01-02 03:04:05+05:30`. The seconds may be left out, and the colon of
///   the offset; `T` and `Z` may be small. A second of 60 is the next minute's first, as in Unix time.
/// - The same without an offset, or the day alone, in local time: `2026-01-02`, `2026-01-02 03:04`. `LocalClock` says
///   what a time means that the local clock skips or shows twice.
/// - `today`, `yesterday`: the beginning of the day in local time.
/// - An age, before now: `15m`, `2h`, `3d`, `1w`, `90s`, also together, `1d 12h`. A day is 24 hours, whatever the
///   local clock does.
///
/// Digits of a fraction beyond milliseconds are dropped. Years have four digits, or, before an offset, a sign and six
/// or more, as `DateText` writes them.
package enum DateExpression {
  /// The instant, or `nil` for what is none of these or is not on the calendar.
  package static func parse(_ text: String, now: EpochMilliseconds) -> EpochMilliseconds? {
    // No date is longer; only a fraction could be.
    guard text.utf8.count <= 64 else { return nil }
    switch text {
    case "today": return startOfDay(now, daysBefore: 0)
    case "yesterday": return startOfDay(now, daysBefore: 1)
    default: return parseCalendar(text) ?? parseAge(text, now: now)
    }
  }

  private static func startOfDay(_ now: EpochMilliseconds, daysBefore: Int64) -> EpochMilliseconds {
    let local = LocalClock.civilTime(at: now).milliseconds - daysBefore * CivilTime.millisecondsPerDay
    var day = CivilTime(milliseconds: local)
    (day.hour, day.minute, day.second, day.millisecond) = (0, 0, 0, 0)
    return LocalClock.instant(of: day)
  }

  // MARK: Calendar dates

  private static func parseCalendar(_ text: String) -> EpochMilliseconds? {
    var reader = DateReader(text)
    guard case (var time, let hasSignedYear)? = reader.date() else { return nil }
    if reader.isAtEnd { return hasSignedYear || !time.isValid ? nil : LocalClock.instant(of: time) }
    guard reader.skip(anyOf: "Tt "), reader.time(into: &time) else { return nil }
    if reader.isAtEnd { return hasSignedYear || !time.isValid ? nil : LocalClock.instant(of: time) }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    let isLeapSecond = time.second == 60
    if isLeapSecond { time.second = 59 }
    guard time.isValid else { return nil }
    return EpochMilliseconds(time.milliseconds + (isLeapSecond ? 1000 : 0) - Int64(offset) * 1000)
  }

  // MARK: Ages

  private static func parseAge(_ text: String, now: EpochMilliseconds) -> EpochMilliseconds? {
    var reader = DateReader(text)
    var age: Int64 = 0
    repeat {
      guard let count = reader.number(digits: 1...9), let unit = reader.next(), let seconds = seconds(in: unit) else {
        return nil
      }
      // At most nine digits of weeks: no overflow in one, and the sum is checked.
      let (sum, overflow) = age.addingReportingOverflow(Int64(count) * seconds * 1000)
      guard !overflow else { return nil }
      age = sum
      _ = reader.skip(anyOf: " ")
    } while !reader.isAtEnd
    let (instant, overflow) = now.value.subtractingReportingOverflow(age)
    // Before the year 1 nothing was saved: a slip.
    guard !overflow, CivilTime(milliseconds: instant).year >= 1 else { return nil }
    return EpochMilliseconds(instant)
  }

  private static func seconds(in unit: UInt8) -> Int64? {
    switch unit {
    case UInt8(ascii: "s"): 1
    case UInt8(ascii: "m"): 60
    case UInt8(ascii: "h"): 3600
    case UInt8(ascii: "d"): 86_400
    case UInt8(ascii: "w"): 604_800
    default: nil
    }
  }
}

extension ArgumentType<Date> {
  /// A date as `DateExpression` reads it; ages count from when the argument is read.
  package static func date(_ placeholder: String = "DATE") -> Self {
    ArgumentType(placeholder) { text throws(InvalidValue) in
      guard let instant = DateExpression.parse(text, now: EpochMilliseconds(Date())) else {
        throw InvalidValue(
          "expected 2026-01-02, '2026-01-02 03:04', 2026-01-02T03:04:05Z, today, yesterday, or an age such as 3d")
      }
      return instant.date
    }
  }
}

/// A date and time of day on the proleptic Gregorian calendar, without a time zone.
struct CivilTime: Hashable, Sendable {
  /// Astronomical: the year before 1 is 0.
  var year: Int
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int
  var hour = 0
  var minute = 0
  var second = 0
  var millisecond = 0

  static let millisecondsPerDay: Int64 = 86_400_000

  static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Whether the calendar has the day and the clock the time.
  var isValid: Bool {
    (1...12).contains(month) && day >= 1 && day <= Self.daysInMonth(month, year: year)
      && (0..<24).contains(hour) && (0..<60).contains(minute) && (0..<60).contains(second)
      && (0..<1000).contains(millisecond)
  }

  /// The milliseconds from 1970-01-01 00:00, both read in the same zone.
  ///
  /// Howard Hinnant's `days_from_civil`: years begin in March, so that a leap day is the last of its year.
  var milliseconds: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let seconds = (hour * 60 + minute) * 60 + second
    return Int64(era * 146_097 + dayOfEra - 719_468) * Self.millisecondsPerDay + Int64(seconds * 1000 + millisecond)
  }
}

extension CivilTime {
  /// The inverse of `milliseconds` (`civil_from_days`).
  init(milliseconds: Int64) {
    let (days, rest) = milliseconds.flooredDivision(by: Self.millisecondsPerDay)
    let (era, dayOfEra) = (Int(days) + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    millisecond = Int(rest % 1000)
    second = Int(rest / 1000 % 60)
    minute = Int(rest / 60_000 % 60)
    hour = Int(rest / 3_600_000)
  }
}

extension BinaryInteger {
  /// The quotient rounded down, and the remainder, which is never negative for a positive divisor.
  fileprivate func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

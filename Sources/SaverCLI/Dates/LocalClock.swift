internal import Glibc

/// The system's local time: the zone that `TZ` or `/etc/localtime` names.
///
/// The C library knows it; FoundationEssentials' `TimeZone` knows only GMT.
enum LocalClock {
  /// Seconds east of UTC at the instant; 0 where the C library has no answer (years beyond its range).
  static func offsetSeconds(at instant: EpochMilliseconds) -> Int {
    _ = zoneIsRead
    var seconds = time_t(instant.value / 1000 - (instant.value % 1000 < 0 ? 1 : 0))
    var fields = tm()
    return localtime_r(&seconds, &fields) == nil ? 0 : fields.tm_gmtoff
  }

  /// What a local calendar and clock show at the instant.
  static func civilTime(at instant: EpochMilliseconds) -> CivilTime {
    let offset = Int64(offsetSeconds(at: instant)) * 1000
    let (local, overflow) = instant.value.addingReportingOverflow(offset)
    return CivilTime(milliseconds: overflow ? instant.value : local)
  }

  /// The instant at which local calendar and clock show the time.
  ///
  /// When clocks are set back they show an hour twice: the first one is meant. When they are set forward they skip an
  /// hour: a time in it is read as if they had not been, so 02:30 is the instant that they call 03:30.
  /// (`mktime` leaves both to the implementation.)
  static func instant(of time: CivilTime) -> EpochMilliseconds {
    let utc = time.milliseconds
    // No zone is a day away from UTC, and none changes twice within two days.
    let before = Int64(offsetSeconds(at: EpochMilliseconds(utc - CivilTime.millisecondsPerDay)))
    let after = Int64(offsetSeconds(at: EpochMilliseconds(utc + CivilTime.millisecondsPerDay)))
    let first = EpochMilliseconds(utc - before * 1000)
    let second = EpochMilliseconds(utc - after * 1000)
    if Int64(offsetSeconds(at: first)) != before, Int64(offsetSeconds(at: second)) == after { return second }
    return first
  }

  /// `localtime_r` need not look at `TZ`; `tzset` does.
  private static let zoneIsRead: Void = tzset()
}

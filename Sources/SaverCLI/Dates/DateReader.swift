/// Reads the parts of a date from left to right; a part that is not there gives `nil` and ends the reading.
struct DateReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.utf8)[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func next() -> UInt8? {
    rest.popFirst()
  }

  mutating func skip(anyOf characters: StaticString) -> Bool {
    let isThere = rest.first.map { first in characters.withUTF8Buffer { $0.contains(first) } } ?? false
    if isThere { rest.removeFirst() }
    return isThere
  }

  /// As many digits as there are, if the range holds their number.
  mutating func number(digits: ClosedRange<Int>) -> Int? {
    let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard digits.contains(run.count) else { return nil }
    rest = rest[run.endIndex...]
    return run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Exactly two digits, though more may follow.
  private mutating func twoDigits() -> Int? {
    guard rest.count >= 2 else { return nil }
    var pair = DateReader("")
    pair.rest = rest.prefix(2)
    guard let number = pair.number(digits: 2...2) else { return nil }
    rest = rest.dropFirst(2)
    return number
  }

  /// `YYYY-MM-DD`, or with a sign and six or more digits for the year.
  mutating func date() -> (time: CivilTime, hasSignedYear: Bool)? {
    let isNegative = rest.first == UInt8(ascii: "-")
    let hasSign = skip(anyOf: "+-")
    guard let year = number(digits: hasSign ? 6...9 : 4...4), skip(anyOf: "-"),
      let month = number(digits: 2...2), skip(anyOf: "-"), let day = number(digits: 2...2)
    else { return nil }
    // 64 bits of milliseconds reach a little further.
    guard year <= 292_000_000 else { return nil }
    return (CivilTime(year: isNegative ? -year : year, month: month, day: day), hasSign)
  }

  /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`.
  mutating func time(into time: inout CivilTime) -> Bool {
    guard let hour = number(digits: 2...2), skip(anyOf: ":"), let minute = number(digits: 2...2) else { return false }
    (time.hour, time.minute) = (hour, minute)
    guard skip(anyOf: ":") else { return true }
    guard let second = number(digits: 2...2) else { return false }
    time.second = second
    guard skip(anyOf: ".") else { return true }
    let fraction = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !fraction.isEmpty else { return false }
    rest = rest[fraction.endIndex...]
    let milliseconds = (Array(fraction.prefix(3)) + [0x30, 0x30]).prefix(3)
    time.millisecond = milliseconds.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return true
  }

  /// `Z`, `+HH:MM` or `+HHMM`, in seconds east of UTC.
  mutating func offset() -> Int? {
    if skip(anyOf: "Zz") { return 0 }
    let isNegative = rest.first == UInt8(ascii: "-")
    guard skip(anyOf: "+-"), let hours = twoDigits() else { return nil }
    _ = skip(anyOf: ":")
    guard let minutes = twoDigits(), hours < 24, minutes < 60 else { return nil }
    return (hours * 60 + minutes) * (isNegative ? -60 : 60)
  }
}

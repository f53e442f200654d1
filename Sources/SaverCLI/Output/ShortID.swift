import FoundationEssentials
import SaverCore

/// Ids for people: their last digits, as many as tell them apart.
enum ShortID {
  static let digitsMin = 8

  /// How many digits from the end tell these ids apart: eight or more.
  static func length(of ids: some Sequence<UUID>) -> Int {
    let ends = ids.map { String($0.hexadecimalDigits.reversed()) }.sorted()
    var length = digitsMin
    for (first, second) in zip(ends, ends.dropFirst()) where first != second {
      let common = zip(first.utf8, second.utf8).prefix { $0 == $1 }.count
      length = max(length, common + 1)
    }
    return length
  }
}

extension UUID {
  /// The whole id.
  var hexadecimalText: String { hexadecimal }

  /// The last eight digits.
  var shortText: String { shortText(ShortID.digitsMin) }

  func shortText(_ length: Int) -> String { String(hexadecimalDigits.suffix(length)) }
}

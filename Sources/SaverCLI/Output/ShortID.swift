import FoundationEssentials
import SaverCore

/// Ids for people: their last digits, as many as tell them apart.
enum ShortID {
  static let digitsMin = 8

  /// How many digits from the end tell these ids apart: eight or more.
  static func length(of ids: some Sequence<UUID>) -> Int {
    let ends = ids.map(\.digitsFromTheEnd).sorted()
    var length = digitsMin
    for (first, second) in zip(ends, ends.dropFirst()) where first != second {
      length = max(length, (first ^ second).leadingZeroBitCount / 4 + 1)
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

  /// The digits, the last one first, as a number.
  fileprivate var digitsFromTheEnd: UInt128 {
    withUnsafeBytes(of: uuid) { bytes in
      bytes.reversed().reduce(0) { number, byte in number << 8 | UInt128(byte << 4 | byte >> 4) }
    }
  }
}

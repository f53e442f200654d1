/// Makes inputs that are nearly right out of inputs that are: that is where readers break.
enum Mutation {
  /// Characters that mean something to one reader or another, and some that are hard on all of them.
  private static let pieces: [String] = [
    "\"", "'", "\\", "\\u", "\\ud800", "[", "]", "{", "}", ",", ":", "/*", "*/", "//", "-", "--", "=", "+", ".", "e",
    "E",
    "0x", "0", "9", "99999999999999999999", "1e999", "-0", "NaN", "Infinity", "null", "true", " ", "\t", "\n", "\r\n",
    "\u{0}", "\u{1b}[2J", "\u{7f}", "\u{85}", "\u{a0}", "\u{301}", "\u{200d}", "\u{202e}", "\u{2028}", "\u{fe0f}",
    "\u{feff}", "\u{fffd}", "é", "ß", "İ", "家", "👨‍👩‍👧", "🇩🇪", "𐀀", "\u{10ffff}", "%", "&", "<", ">", "T", "Z", "d", "w",
  ]

  static func text(_ text: String, _ random: inout some RandomNumberGenerator) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<random.pick([1, 1, 2, 3, 8]) {
      let place = random.below(scalars.count + 1)
      switch random.below(6) {
      case 0: scalars.insert(contentsOf: random.pick(pieces).unicodeScalars, at: place)
      case 1 where place < scalars.count: scalars.remove(at: place)
      case 2 where place < scalars.count: scalars[place] = random.pick(pieces).unicodeScalars.first ?? " "
      case 3: scalars.removeLast(scalars.count - place)
      case 4 where !scalars.isEmpty:
        let end = min(scalars.count, place + random.below(12))
        let copy = scalars[min(place, end)..<end]
        for _ in 0..<random.pick([1, 2, 40]) { scalars.insert(contentsOf: copy, at: place) }
      default: scalars.insert(contentsOf: random.pick(pieces).unicodeScalars, at: place)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  static func bytes(_ bytes: [UInt8], _ random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<random.pick([1, 1, 2, 5]) {
      let place = random.below(bytes.count + 1)
      switch random.below(4) {
      case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
      case 2: bytes.removeLast(bytes.count - place)
      default: bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: place)
      }
    }
    return bytes
  }

  /// A text of anything.
  static func anyText(_ random: inout some RandomNumberGenerator, upTo count: Int = 12) -> String {
    (0..<random.below(count + 1)).map { _ in random.pick(pieces) }.joined()
  }
}

import FoundationEssentials

/// Values that have broken others: the ends of every range, and neighbours that are easily confused.
enum ValuePool {
  static let ints = [
    Int.min, Int.min + 1, -65_536, -256, -255, -1, 0, 1, 2, 255, 256, 1 << 53 + 1, Int.max - 1, Int.max,
  ]

  static let doubles: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1.5, -.leastNormalMagnitude, -.leastNonzeroMagnitude, 0,
    .leastNonzeroMagnitude, 0.1, 1, 1.5, 9_007_199_254_740_992, .greatestFiniteMagnitude, .infinity,
  ]

  static let texts: [String] = [
    "", " ", "a", "A", "aa", "aB", "ab", "ab\u{0}", "a\u{0}", "a\u{0}b", "\u{0}", "b", "a%b", "a_b", "a*b", "[a]", "%",
    "'", "\"",
    "\\", "\n", "\u{7f}", "\u{7f}\u{7f}", "\u{80}", "\u{e9}", "e\u{301}", "École", "strasse", "Straße", "\u{7ff}",
    "\u{800}", "\u{d7ff}", "\u{e000}", "\u{ffff}", "\u{10000}", "\u{10ffff}", "\u{10ffff}a", "日本語", "👨‍👩‍👧", "🇩🇪a",
  ]

  static let blobs: [Data] = [
    Data(), Data([0]), Data([0, 0]), Data([0, 0xff]), Data([1]), Data([0x7f]), Data([0x80]), Data([0xff]),
    Data([0xff, 0]),
    Data([0xff, 0xff]), Data("a".utf8),
  ]

  /// From the first day of the calendar to its last, before 1970 too, with milliseconds.
  static let dates: [Date] = [
    -62_135_596_800, -1.5, -0.001, 0, 0.001, 1_700_000_000, 1_700_000_000.123, 1_700_000_000.124, 253_402_300_799.999,
  ].map { Date(timeIntervalSince1970: $0) }

  static let uuids: [UUID] = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
    UUID(uuid: (0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)),
  ]

  static let lists: [[String]] = [
    [], [""], ["", ""], ["a"], ["A"], ["a", "b"], ["b", "a"], ["a", "a"], ["ab"], ["a,b"], ["a\"b"], ["a\\b"], ["a\nb"],
    ["a\u{0}b"], ["\u{1}\u{1f}\u{7f}"], ["\u{e9}"], ["e\u{301}"], ["👨‍👩‍👧", "日本語"], ["a/b", "[]", "null"],
    (0..<20).map { "tag \($0)" },
  ]
}

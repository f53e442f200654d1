import SaverText
import Testing

@Suite struct TextNormalizationTests {
  @Test(arguments: [
    ("cafe\u{301}", "caf\u{E9}"), ("caf\u{E9}", "caf\u{E9}"), ("\u{1100}\u{1161}", "\u{AC00}"), ("\u{212B}", "\u{C5}"),
    ("ﬁ", "ﬁ"), ("plain", "plain"), ("", ""), ("a\u{0}e\u{301}", "a\u{0}\u{E9}"),
    ("q\u{307}\u{323}", "q\u{323}\u{307}"),
  ])
  func composes(text: String, composed: String) {
    // By bytes: Swift's own comparison takes the two for equal.
    #expect(Array(TextNormalization.nfc(text).utf8) == Array(composed.utf8))
  }
}

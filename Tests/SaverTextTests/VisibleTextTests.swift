import SaverText
import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("a\tb\nc\rd", #"a\tb\nc\rd"#), ("line\r\nbreak", #"line\r\nbreak"#),
    ("\u{1B}[2J", #"\u{1B}[2J"#),
    ("\u{9B}2J", #"\u{9B}2J"#), ("\u{0}\u{7}\u{7F}", #"\u{00}\u{07}\u{7F}"#), ("\u{202E}x", #"\u{202E}x"#),
    ("\u{61C}\u{200E}\u{200F}", #"\u{61C}\u{200E}\u{200F}"#), ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
    ("back\\", "back\\"),
    ("👨‍👩‍👧‍👦 é e\u{301} مرحبا — 家族 £", "👨‍👩‍👧‍👦 é e\u{301} مرحبا — 家族 £"), ("\u{85}", #"\u{85}"#),
  ])
  func escapes(text: String, visible: String) {
    #expect(Array(VisibleText.escaped(text).utf8) == Array(visible.utf8))
  }

  @Test func exactlyTheControlsAreEscaped() {
    let escaped = TextFoldingTests.allScalars.filter { VisibleText.escaped(String($0)) != String($0) }.map(\.value)
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    ]
    #expect(escaped == ranges.flatMap { Array($0) })
  }

  @Test func nothingHostileIsLeft() {
    for title in HostileText.titles {
      #expect(!VisibleText.escaped(title).unicodeScalars.contains(where: VisibleText.needsEscape))
      #expect(!TabSeparated.escaped(title).unicodeScalars.contains(where: VisibleText.needsEscape))
    }
  }

  @Test(arguments: [
    (Array("ok".utf8), "ok"), ([0x61, 0xFF, 0x62], #"a\x{FF}b"#), ([0xC3], #"\x{C3}"#),
    ([0x1B, 0xE2, 0x82], #"\u{1B}\x{E2}\x{82}"#),
    ([], ""), (Array("é".utf8) + [0x80], #"é\x{80}"#),
  ])
  func showsInvalidBytes(bytes: [UInt8], visible: String) {
    #expect(VisibleText.escaped(utf8: bytes) == visible)
  }
}

import SaverText
import Testing

@Suite struct TextFoldingTests {
  /// Every Unicode scalar.
  static var allScalars: some Sequence<Unicode.Scalar> {
    (0...UInt32(0x10FFFF)).lazy.compactMap { Unicode.Scalar($0) }
  }

  @Test(arguments: [
    ("ÉCOLE", "ecole"), ("E\u{301}COLE", "ecole"), ("Straße", "strasse"), ("STRASSE", "strasse"), ("ẞ", "ss"),
    ("ﬁne ①", "fine 1"), ("Ａｂｃ", "abc"), ("ΣΑΣ σας", "σασ σασ"), ("İstanbul", "istanbul"), ("ı", "ı"),
    ("a\u{A0}b", "a b"), ("zero\u{200B}width", "zerowidth"), ("soft\u{AD}hyphen", "softhyphen"),
    ("\u{1112}\u{1161}\u{11AB}", "한"), ("日本語", "日本語"), ("\u{2B07}\u{FE0F}", "\u{2B07}"), ("a\0B", "a\0b"), ("", ""),
    ("ÅÅ", "aa"), ("ᾳ", "α"), ("α\u{345}", "α"),
  ])
  func foldsTo(text: String, folded: String) {
    #expect(Array(TextFolding.fold(text).utf8) == Array(folded.utf8))
  }

  @Test func asciiIsLowercased() {
    for scalar in Self.allScalars.prefix(0x80) {
      #expect(TextFolding.fold(String(scalar)) == String(scalar).lowercased())
    }
  }

  @Test func foldingTwiceChangesNothing() {
    let changed = Self.allScalars.filter { scalar in
      let once = TextFolding.fold("a" + String(scalar) + "B")
      return TextFolding.fold(once) != once
    }
    #expect(changed == [])
  }

  /// Composed and decomposed spellings of every scalar fold alike, to the byte.
  @Test func canonicallyEquivalentTextsFoldAlike() {
    let different = Self.allScalars.filter { scalar in
      let text = "x" + String(scalar)
      let composed = TextFolding.fold(TextNormalization.nfc(text))
      return Array(TextFolding.fold(text).utf8) != Array(composed.utf8)
    }
    #expect(different == [])
    for (composed, decomposed) in [("é", "e\u{301}"), ("ǖ", "u\u{308}\u{304}"), ("각", "\u{1100}\u{1161}\u{11A8}")] {
      #expect(Array(TextFolding.fold(composed).utf8) == Array(TextFolding.fold(decomposed).utf8))
    }
  }

  @Test func caseDoesNotMatter() {
    // The dotless i is a letter of its own, although its capital is I; U+0345 is a mark, although its capital is a
    // letter, and with it what is composed from it.
    let iotas = Self.allScalars.filter { $0.properties.uppercaseMapping.unicodeScalars.contains("\u{399}") }
    let exceptions = Set(iotas).union(["\u{131}"])
    // The standard library knows a later Unicode, with pairs that utf8proc does not know.
    func isKnown(_ scalar: Unicode.Scalar) -> Bool {
      (scalar.properties.age ?? (.max, 0)).major <= 14
    }
    let different = Self.allScalars.filter { scalar in
      scalar.properties.uppercaseMapping.unicodeScalars.allSatisfy(isKnown) && !exceptions.contains(scalar)
        && TextFolding.fold(scalar.properties.uppercaseMapping) != TextFolding.fold(String(scalar))
    }
    #expect(different == [])
  }

  /// A long text takes the path by runs and grows the memory; it must give what its pieces give.
  @Test func foldsRunsLikeTheirPieces() {
    var generator = SeededGenerator(seed: 20_260_102)
    let pool: [Unicode.Scalar] = [
      "a", "Z", " ", "é", "e", "\u{301}", "ß", "日", "\u{FDFA}", "\u{200D}", "😀", "한", "\u{AD}",
    ]
    for length in [1, 2, 7, 300, 5000] {
      let scalars = (0..<length).map { _ in pool.randomElement(using: &generator)! }
      let whole = scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
      let pieces = scalars.map { TextFolding.fold(String($0)) }.joined()
      #expect(TextFolding.fold(whole) == pieces, "seed \(generator.seed), length \(length)")
    }
  }
}

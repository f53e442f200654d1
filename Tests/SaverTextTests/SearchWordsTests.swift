import SaverText
import Testing

@Suite struct SearchWordsTests {
  @Test(arguments: [
    ("école", "ÉCOLE normale"), ("ÉCOLE", "une école"), ("e\u{301}cole", "école"), ("école", "e\u{301}cole"),
    ("strasse", "Hauptstraße 1"), ("STRASSE", "Straße"), ("straße", "STRASSE"), ("CAFE", "un café"),
    ("zerowidth", "zero\u{200B}width"), ("zero\u{200B}width", "zerowidth"), ("日本", "これは日本語です"),
    ("👨‍👩‍👧‍👦", "padmé 👨‍👩‍👧‍👦!"), ("👩", "👨‍👩‍👧‍👦"), ("⬇️", "down \u{2B07}"), ("\u{2B07}", "down ⬇️"), ("🇫🇷", "en 🇫🇷"),
    ("世界", "hello 世界"), ("b\u{0}", "a\u{0}b\u{0}"),
  ])
  func finds(query: String, text: String) {
    #expect(SearchWords(query).matches([text]))
  }

  @Test(arguments: [("école", "ecol"), ("한", "하"), ("하", "한"), ("o", "ø"), ("abc", "ab c"), ("long word", "long")])
  func doesNotFind(query: String, text: String) {
    #expect(!SearchWords(query).matches([text]))
  }

  @Test func everyWordInSomeField() {
    let words = SearchWords("  swift\t database\u{3000}Swift\u{A0}x ")
    #expect(words.words == ["swift", "database", "x"])
    #expect(words.matches(["A Database", "of x", "SWIFT"]))
    #expect(!words.matches(["A Database", "SWIFT"]))
    #expect(!SearchWords("ab").matches(["a", "b"]))
  }

  @Test(arguments: ["", "  \n\t", "\u{200B}", "\u{301}", "´"])
  func aQueryWithoutWordsMatchesEverything(query: String) {
    #expect(SearchWords(query).isEmpty)
    #expect(SearchWords(query).matches([]))
    #expect(SearchWords(query).matches(["x"]))
  }

  @Test(arguments: ["\"", "*", "(", ")", ":", "-", "^", "'", "@", "/", "\\", "%", "_", "AND", "NOT", "NEAR"])
  func nothingInAQueryIsSyntax(query: String) {
    #expect(SearchWords(query).matches(["x\(query)y"]))
    #expect(!SearchWords(query).matches(["x y"]))
  }

  @Test func invalidUTF8IsSkippedOver() {
    var matcher = SearchMatcher(SearchWords("café"))
    let bytes: [[UInt8]] = [
      [0xFF] + Array("CAFÉ".utf8), Array("caf".utf8) + [0xC3], [0xC3, 0x28, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x9F],
      Array("café".utf8) + [0x80],
    ]
    var results: [Bool] = []
    for field in bytes {
      matcher.begin()
      results.append(field.withUnsafeBytes { matcher.look(in: $0) })
    }
    #expect(results == [true, false, false, false, false, true])
  }

  @Test func aMatcherStartsEachRowAfresh() {
    var matcher = SearchMatcher(SearchWords("one two"))
    func look(_ text: String, _ matcher: inout SearchMatcher) -> Bool {
      var text = text
      return text.withUTF8 { matcher.look(in: UnsafeRawBufferPointer($0)) }
    }
    #expect(!look("one", &matcher))
    #expect(look("two", &matcher))
    matcher.begin()
    #expect(!look("two", &matcher))
    let isMatch = matcher.isMatch
    #expect(!isMatch)
    #expect(!look("", &matcher))
  }

  /// Against the standard library, on texts where words nearly occur.
  @Test func findsExactlyTheSubstrings() {
    var generator = SeededGenerator(seed: 7)
    func random(_ length: Int) -> [UInt8] {
      (0..<length).map { _ in UInt8(ascii: "a") + UInt8.random(in: 0...2, using: &generator) }
    }
    var found = 0
    for _ in 0..<2000 {
      let word = random(Int.random(in: 1...6, using: &generator))
      let text = random(Int.random(in: 0...40, using: &generator))
      let expected = text.indices.contains { text[$0...].starts(with: word) }
      found += expected ? 1 : 0
      let words = SearchWords(String(decoding: word, as: UTF8.self))
      #expect(words.matches([String(decoding: text, as: UTF8.self)]) == expected, "seed \(generator.seed)")
    }
    #expect((200...1800).contains(found), "The sample must hold both answers")
  }
}

import SaverText
import Testing

@Suite struct TabSeparatedTests {
  @Test(arguments: [
    ("a\tb", #"a\tb"#), ("a\nb\r\n", #"a\nb\r\n"#), (#"C:\temp"#, #"C:\\temp"#), ("\u{1B}", #"\u{1B}"#),
    (#"\u{1B}"#, #"\\u{1B}"#),
    ("é", "é"),
  ])
  func escapes(text: String, field: String) {
    #expect(TabSeparated.escaped(text) == field)
  }

  @Test func isReversible() {
    for text in HostileText.titles + ["\\", "\\\\n", "\\t\t", #"\u{41}"#, "\u{2028}\\u"] {
      let field = TabSeparated.escaped(text)
      #expect(Array(TabSeparated.unescaped(field).utf8) == Array(text.utf8))
    }
  }

  @Test func aFieldNeverHoldsASeparator() {
    for text in HostileText.titles {
      #expect(!TabSeparated.escaped(text).utf8.contains { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D })
    }
  }

  @Test func whatBeginsNoEscapeIsKept() {
    for text in [#"\"#, #"\x"#, #"\u"#, #"\u{"#, #"\u{zz}"#, #"\u{D800}"#] {
      #expect(TabSeparated.unescaped(text) == text)
    }
  }
}

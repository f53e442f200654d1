import SaverText
import Testing

@Suite struct CellWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("日本語", 6), ("e\u{301}", 1), ("é", 1), ("padmé", 5), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🏴‍☠️", 2),
    ("🇫🇷", 2), ("🇫🇷🇩🇪", 4), ("\u{1F1EB}", 1), ("\u{2B07}", 1), ("\u{2B07}\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("1", 1),
    ("\u{200B}", 0), ("a\u{200B}b", 2), ("مرحبا", 5), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("—", 1), ("家族", 4),
    ("Ａ", 2), ("ｱ", 1), ("😀", 2), ("\u{301}", 0), ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
    ("\u{1B}", 0), ("❤️‍🔥", 2), ("x\u{FE0F}", 1),
  ])
  func width(text: String, cells: Int) {
    #expect(CellWidth.cells(text) == cells)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""), ("abcdef", -1, ""),
    ("", 0, ""),
    ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 2, "…"), ("🇫🇷🇩🇪🇯🇵", 5, "🇫🇷🇩🇪…"), ("🇫🇷🇩🇪🇯🇵", 4, "🇫🇷…"), ("ab\u{200B}", 2, "ab\u{200B}"),
    ("⬇️⬇️", 3, "⬇️…"), ("padmé", 4, "pad…"),
  ])
  func truncation(text: String, limit: Int, cut: String) {
    #expect(Array(CellWidth.truncate(text, toCells: limit).unicodeScalars) == Array(cut.unicodeScalars))
    #expect(CellWidth.truncated(text, toCells: limit).cells == CellWidth.cells(cut))
  }

  /// Whatever the text and the limit: never wider, never cut inside a cluster, and untouched when it fits.
  @Test func truncationKeepsItsPromise() {
    var generator = SeededGenerator(seed: 40)
    let pool = ["a", "é", "e\u{301}", "日", "👨‍👩‍👧‍👦", "🇫🇷", "⬇️", "\u{200B}", " ", "👍🏽"]
    for _ in 0..<500 {
      let clusters = (0..<Int.random(in: 0...12, using: &generator)).map { _ in pool.randomElement(using: &generator)! }
      let text = clusters.joined()
      for limit in 0...12 {
        let (cut, cells) = CellWidth.truncated(text, toCells: limit)
        #expect(cells == CellWidth.cells(cut) && cells <= limit, "seed \(generator.seed)")
        if CellWidth.cells(text) <= limit {
          #expect(cut == text, "seed \(generator.seed)")
        } else if limit > 0 {
          let beginnings = (0...clusters.count).map { clusters.prefix($0).joined() + "…" }
          #expect(beginnings.contains(cut) && CellWidth.cells(cut) >= limit - 1, "seed \(generator.seed)")
        }
      }
    }
  }

  @Test func padding() {
    #expect(CellWidth.pad("日本", toCells: 6) == "日本  ")
    #expect(CellWidth.pad("日本", toCells: 6, alignment: .trailing) == "  日本")
    #expect(CellWidth.pad("🇫🇷", toCells: 3) == "🇫🇷 ")
    #expect(CellWidth.pad("long", toCells: 2) == "long")
  }

  @Test func hostileTitlesLineUpInForty() {
    for title in HostileText.titles {
      let cell = CellWidth.pad(CellWidth.truncate(VisibleText.escaped(title), toCells: 40), toCells: 40)
      #expect(CellWidth.cells(cell) == 40)
    }
  }
}

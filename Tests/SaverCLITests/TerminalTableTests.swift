import SaverCLI
import SaverText
import Testing

@Suite struct TerminalTableTests {
  private let plain = TerminalStyle(isColored: false)

  private static let titles = [
    "日本語のタイトルがとても長くて四十セルには入りきらないはずです", "👨‍👩‍👧‍👦 family and a title that does not fit", "🇫🇷🇩🇪 flags", "\u{2B07}\u{FE0F} down",
    "e\u{301}", "zero\u{200B}width", "مرحبا بالعالم", "left \u{202E}right", "a\tb", "line\r\nbreak",
    "\u{1B}]52;c;aGVsbG8=\u{7}",
    "\u{1B}[2J\u{1B}[H", "\u{9B}2J", "", "plain",
  ]

  @Test func columnsLineUp() {
    var table = Table([.init("ID"), .init("Count", alignment: .trailing), .init("Title")])
    table.append(["a", "5", "one"])
    table.append(["bcd", "1234", "日本"])
    table.append(["e", "", ""])
    #expect(
      table.lines(limit: nil, style: plain, hasHeader: true) == [
        "ID   Count  Title", "a        5  one", "bcd   1234  日本", "e",
      ])
    #expect(table.lines(limit: nil, style: plain) == ["a       5  one", "bcd  1234  日本", "e"])
  }

  /// In forty cells: no line is wider, the last column begins at the same cell in each, nothing is raw.
  @Test func hostileTitlesLineUpInForty() {
    var table = Table([.init("ID", role: .id), .init("Title", isFlexible: true), .init("Tag")])
    for title in Self.titles { table.append(["0123abcd", title, "tag"]) }
    let lines = table.lines(limit: 40, style: plain)
    #expect(lines.count == Self.titles.count)
    for line in lines {
      #expect(CellWidth.cells(line) == 40)
      #expect(line.hasSuffix("  tag") && line.hasPrefix("0123abcd  "))
      #expect(!line.unicodeScalars.contains(where: VisibleText.needsEscape))
    }
  }

  @Test func theLastFlexibleColumnIsCutFirst() {
    var table = Table([.init(isFlexible: true), .init(isFlexible: true), .init()])
    table.append(["abcdef", "ghijkl", "mnopqr"])
    #expect(table.lines(limit: 22, style: plain) == ["abcdef  ghijkl  mnopqr"])
    #expect(table.lines(limit: 20, style: plain) == ["abcdef  ghi…  mnopqr"])
    #expect(table.lines(limit: 15, style: plain) == ["abc…  …  mnopqr"])
    #expect(table.lines(limit: 10, style: plain) == ["…  …  mno…"])
    #expect(table.lines(limit: 1, style: plain) == ["…  …  …"])
  }

  @Test func coloursDoNotChangeTheLayout() {
    var table = Table([.init("ID", role: .id), .init("Title", isFlexible: true, role: .tag)])
    table.append(["ab", "title that is long"])
    table.append(["abcd", "x"])
    let coloured = table.lines(limit: 12, style: TerminalStyle(isColored: true))
    #expect(coloured[0] == "\u{1B}[33mab\u{1B}[0m    \u{1B}[32mtitle…\u{1B}[0m")
    #expect(table.lines(limit: 12, style: plain) == ["ab    title…", "abcd  x"])
  }

  @Test func anEmptyTable() {
    #expect(Table([.init("A")]).lines(limit: 10, style: plain) == [])
    #expect(Table([.init("A")]).lines(limit: 10, style: plain, hasHeader: true) == ["A"])
  }
}

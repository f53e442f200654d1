import Foundation
import Testing

@Suite struct ListFormatsTests {
  /// Texts that break what takes them for anything but data.
  static let hostile = [
    "plain", "tab\there", "line\nbreak", "CR\r\nLF", "back\\slash \\n", "quote \" comma , semicolon ;", "=SUM(A1)",
    "日本語", "👨‍👩‍👧‍👦 🇫🇷🇩🇪 ⬇️", "e\u{301}", "zero\u{200B}width", "مرحبا", "\u{202E}gnirts", "\u{1B}]52;c;AAAA\u{7}",
    "\u{1B}[2J\u{1B}[H",
    "\u{9B}31m", "\u{7F}\u{1}", "<script>&amp;", "a\u{2028}b\u{2029}c\u{85}d", "b\u{FEFF}om", "a\0b", "\u{10FFFF}",
    " spaces ",
  ]

  private func filled(_ engine: String) throws -> CommandSandbox {
    let sandbox = try CommandSandbox(engine)
    for text in Self.hostile {
      // A NUL cannot be an argument; what cannot be titles here are those with one.
      let title = text.contains("\0") ? "nul" : text
      let outcome = try sandbox.run(["share", "--title", title, "--tag", title], stdin: Data((text + "\n").utf8))
      try #require(outcome.exitCode == 0, "\(outcome.stderr)")
    }
    return sandbox
  }

  /// Case 13: JSON is exact.
  @Test(arguments: Program.fileEngines) func jsonIsExact(engine: String) throws {
    let sandbox = try filled(engine)
    let items = try sandbox.items("--sort", "createdAt:asc")
    #expect(items.count == Self.hostile.count)
    for (item, text) in zip(items, Self.hostile) {
      #expect(isSame(item.text, text))
      let title = text.contains("\0") ? "nul" : text
      #expect(isSame(item.title, title) && item.tags.count == 1 && isSame(item.tags.first, title))
    }
    let lines = try sandbox.run("list", "--sort", "createdAt:asc", "--format", "jsonl")
    #expect(try ListedItem.lines(lines.output) == items)
    let fields = try sandbox.run("list", "--format", "json", "--fields", "text,id", "--limit", "1")
    #expect(fields.stdout == "[\n{\"text\":\" spaces \",\"id\":\"\(items.last!.id)\"}\n]\n")
  }

  /// Case 38: a line an item and the same number of fields, whatever the text holds.
  @Test(arguments: Program.fileEngines) func tabSeparated(engine: String) throws {
    let sandbox = try filled(engine)
    let outcome = try sandbox.run("list", "--sort", "createdAt:asc", "--format", "tsv", "--color", "always")
    let lines = outcome.output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    let items = try sandbox.items("--sort", "createdAt:asc")
    #expect(lines.count == items.count)
    for (line, item) in zip(lines, items) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 6)
      #expect(fields[0] == item.id && fields[4] == item.createdAt && fields[5] == item.updatedAt)
      #expect(isSame(Self.unescaped(fields[1]), item.text) && isSame(Self.unescaped(fields[2]), item.title))
    }
    let plain = try sandbox.run("list", "--sort", "createdAt:asc", "--format", "plain")
    let plainLines = plain.output.split(separator: UInt8(ascii: "\n"))
    #expect(plainLines.count == items.count)
    for (line, item) in zip(plainLines, items) { #expect(line.starts(with: Array((item.id + " ").utf8))) }
  }

  /// The reverse of `\t \n \r \\` and `\u{1B}`.
  private static func unescaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch scalars.next() {
      case "t": result.append("\t")
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "u":
        var digits = ""
        while let digit = scalars.next(), digit != "}" { digits.unicodeScalars.append(digit) }
        if let scalar = UInt32(digits.dropFirst(), radix: 16).flatMap(Unicode.Scalar.init) { result.append(scalar) }
      case let other?: result.append(other)
      case nil: break
      }
    }
    return String(result)
  }

  @Test(arguments: Program.fileEngines) func commaSeparated(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("a \"b\", c\nd", "--tag", "x", "--tag", "y")
    let outcome = try sandbox.run("list", "--format", "csv")
    let date = "2026-01-02T03:04:06.678Z"
    #expect(
      outcome.stdout.replacing("\r\n", with: "\n")
        == "id,text,title,tags,createdAt,updatedAt\n\(id),\"a \"\"b\"\", c\nd\",,\"x,y\",\(date),\(date)\n")
    let few = try sandbox.run("list", "--format", "csv", "--fields", "title,id").stdout
    #expect(few.replacing("\r\n", with: "\n") == "title,id\n,\(id)\n")
    #expect(try sandbox.run("list", "--fields", "id,wrong").exitCode == 64)
    #expect(try sandbox.run("list", "--fields", "").exitCode == 64)
  }

  @Test(arguments: Program.fileEngines) func itemsThatEndWithNUL(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let first = try sandbox.share("one")
    let second = try sandbox.share("two\nlines")
    #expect(try sandbox.run("list", "--null", "--fields", "id").stdout == "\(second)\0\(first)\0")
    #expect(try sandbox.run("list", "--null", "--format=tsv", "--fields=text").stdout == "two\\nlines\0one\0")
    #expect(try sandbox.run("list", "--null", "--format=csv", "--fields=id").stdout == "id\0\(second)\0\(first)\0")
    #expect(try sandbox.run("list", "--null", "--format=table").exitCode == 64)
    #expect(try sandbox.run("list", "--null", "--format=json").exitCode == 64)
    let piped = try sandbox.shell(#""$saver" list --null --fields id | xargs -0 "$saver" delete"#)
    #expect(piped.exitCode == 0)
    #expect(try sandbox.items().isEmpty)
  }

  /// Case 13: nothing that steers a terminal reaches it, and columns line up.
  @Test(arguments: Program.fileEngines) func tablesAreHarmlessAndLineUp(engine: String) throws {
    let sandbox = try filled(engine)
    for columns in ["40", "80", "200"] {
      let outcome = try sandbox.run(["list", "--fields", "id,title,createdAt"], environment: ["COLUMNS": columns])
      try expectHarmless(outcome)
      let lines = outcome.stdout.split(separator: "\n")
      #expect(lines.count == Self.hostile.count)
      // The date is cut last, and begins in the same cell of every line: all before it has one width.
      let widths = lines.map { line in Self.cells(String(line)) }
      #expect(widths.allSatisfy { $0 <= Int(columns)! }, "\(widths)")
      #expect(Set(widths).count == 1, "\(widths)")
    }
    try expectHarmless(try sandbox.run("list"))
    try expectHarmless(try sandbox.run(["show"] + sandbox.items().map(\.id)))
    try expectHarmless(try sandbox.run("delete", "--yes", "--from", "2000-01-01"))
  }

  private func expectHarmless(_ outcome: Outcome) throws {
    #expect(outcome.exitCode == 0 && !outcome.output.isEmpty)
    let bad = outcome.stdout.unicodeScalars.filter { scalar in
      let isControl = scalar.properties.generalCategory == .control && scalar != "\n"
      return isControl || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        || (0x2028...0x2029).contains(scalar.value)
    }
    #expect(bad.isEmpty, "\(bad)")
  }

  /// Cells of a line, counted otherwise than the program does, for the characters of ``hostile``.
  private static func cells(_ line: String) -> Int {
    line.reduce(0) { sum, character in
      let first = character.unicodeScalars.first!
      if first.properties.generalCategory == .format, character.unicodeScalars.count == 1 { return sum }
      let isEmoji = first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}")
      let isWide = (0x3000...0x9FFF).contains(first.value) || isEmoji
      return sum + (isWide ? 2 : 1)
    }
  }
}

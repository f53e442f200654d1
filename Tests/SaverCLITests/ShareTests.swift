import Foundation
import Testing

@Suite struct ShareTests {
  @Test(arguments: Program.engines) func printsTheIDOfEachText(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let outcome = try sandbox.run("share", "one", "two", "https://example.org/three")
    #expect(outcome.exitCode == 0)
    #expect(outcome.lines.count == 3 && Set(outcome.lines).count == 3)
    #expect(outcome.lines.allSatisfy { UUID(uuidString: $0) != nil && $0 == $0.lowercased() })
    if engine == "memory" {
      #expect(outcome.stderr == "saver: the memory backend forgets everything when this command ends\n")
    } else {
      #expect(outcome.stderr == "")
      #expect(Set(try sandbox.items().map(\.id)) == Set(outcome.lines))
    }
  }

  @Test(arguments: Program.engines) func theItemAsJSON(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let outcome = try sandbox.run(
      "share", "--format", "json", "--title", "A \"title\"", "--tag", "b", "-t", "a", "--tag", "b", "--created",
      "2020-02-29T12:00:00.5+02:00", "two\nlines")
    let item = try #require(try ListedItem.lines(outcome.output).first)
    #expect(item.text == "two\nlines" && item.title == "A \"title\"" && item.tags == ["b", "a"])
    #expect(item.createdAt == "2020-02-29T10:00:00.500Z" && item.updatedAt == "2026-01-02T03:04:06.678Z")
    let plain = try ListedItem.lines(try sandbox.run("share", "--format=json", "x").output)
    #expect(plain.first?.title == nil && plain.first?.tags == [])
    #expect(plain.first?.createdAt == "2026-01-02T03:04:07.678Z")
  }

  @Test(arguments: Program.fileEngines) func standardInputLessOneFinalLineBreak(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let inputs = ["a": "a", "b\n": "b", "c\n\n": "c\n", "d\r\n": "d", "\ne\n f": "\ne\n f", " g ": " g "]
    for (input, text) in inputs {
      for arguments in [["share"], ["share", "-"]] {
        let outcome = try sandbox.run(arguments + ["--format=json"], stdin: Data(input.utf8))
        #expect(isSame(try ListedItem.lines(outcome.output).first?.text, text), "\(arguments)")
      }
    }
    let mixed = try sandbox.run("share", "first", "-", "last", stdin: "from the pipe\n")
    #expect(mixed.lines.count == 3)
    #expect(try sandbox.texts().contains("from the pipe"))
  }

  @Test(arguments: Program.fileEngines) func anItemALine(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let outcome = try sandbox.run("share", "--lines", "--tag", "t", stdin: "one\r\n\n  \ntwo \nthree")
    #expect(outcome.exitCode == 0 && outcome.lines.count == 3)
    #expect(Set(try sandbox.texts("--tag", "t")) == ["one", "two ", "three"])
    #expect(try sandbox.run("share", "--lines", stdin: "").exitCode == 0)
    let both = try sandbox.run("share", "--lines", "text", stdin: "one\n")
    #expect(both.exitCode == 64)
    #expect(try sandbox.items().count == 3)
  }

  @Test(arguments: Program.engines) func emptyTextIsAUsageError(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for (arguments, input) in [([""], ""), ([" \n\t"], ""), (["text", ""], ""), ([], ""), (["-"], "\n"), ([], " \n")] {
      let outcome = try sandbox.run(["share"] + arguments, stdin: Data(input.utf8))
      #expect(outcome.exitCode == 64 && outcome.stdout == "", "\(arguments)")
      #expect(outcome.stderr == "saver: the text is empty.\nSee 'saver help share'.\n")
    }
    #expect(sandbox.files.isEmpty)
  }

  /// Case 10: what is not UTF-8 is refused, as an argument and on standard input.
  @Test(arguments: Program.engines) func invalidUTF8SavesNothing(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for script in [
      #""$saver" share good "$(printf 'a\377b')""#, #""$saver" share good --title "$(printf '\303')""#,
      #"printf 'a\377b' | "$saver" share good -"#, #"printf 'good\na\300\200\n' | "$saver" share --lines"#,
      #"printf '\355\240\200' | "$saver" share"#,
    ] {
      let outcome = try sandbox.shell(script)
      #expect(outcome.exitCode == 65 && outcome.stdout == "", "\(script)")
      #expect(outcome.stderr.contains("not valid UTF-8"), "\(script)")
    }
    #expect(sandbox.files.isEmpty)
  }

  /// Case 9.
  @Test(arguments: Program.fileEngines) func aNULIsKept(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    #expect(try sandbox.run("share", stdin: "a\0b").exitCode == 0)
    #expect(try sandbox.run("share", "--lines", stdin: "\0\nc\0\n").exitCode == 0)
    let texts = Set(try sandbox.texts().map { Array($0.utf8) })
    #expect(texts == [[97, 0, 98], [0], [99, 0]])
    #expect(try sandbox.texts("--search", "b") == ["a\0b"])
  }

  /// Case 17.
  @Test(arguments: Program.fileEngines) func ahundredTimesTheSameBytes(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let text = "padm\u{E9} 👨‍👩‍👧‍👦 ⬇️ e\u{301}"
    let input = String(repeating: text + "\n", count: 100)
    #expect(try sandbox.run("share", "--lines", stdin: input).lines.count == 100)
    try sandbox.share(text)
    let texts = try sandbox.texts()
    #expect(texts.count == 101 && texts.allSatisfy { isSame($0, text) })
  }

  /// Case 50.
  @Test(arguments: Program.fileEngines) func theLinkInATextIsWhole(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("see https://en.wikipedia.org/wiki/APL_(programming_language).")
    let lines = try sandbox.run("show", id).lines
    #expect(lines.contains("link     https://en.wikipedia.org/wiki/APL_(programming_language)"))
  }
}

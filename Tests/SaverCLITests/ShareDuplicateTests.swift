import Foundation
import Testing

@Suite struct ShareDuplicateTests {
  private let link = "https://example.org/a"

  @Test(arguments: Program.fileEngines) func aKnownLinkMovesToTheTop(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let first = try sandbox.share(link, "--tag", "a", "--title", "Title")
    let second = try sandbox.share("other")
    let outcome = try sandbox.run("share", "--tag", "b", "--tag", "a", "HTTPS://Example.org:443/a/?utm_source=x")
    #expect(outcome.exitCode == 0 && outcome.lines == [first])
    #expect(outcome.stderr == "saver: \(first.suffix(8)) was there already; it is at the top now\n")
    let items = try sandbox.items()
    #expect(items.map(\.id) == [first, second])
    #expect(items[0].text == link && items[0].tags == ["a", "b"] && items[0].title == "Title")
    #expect(items[0].createdAt == "2026-01-02T03:04:08.678Z")
  }

  @Test(arguments: Program.fileEngines) func twoItemsIfTheyAreKept(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let first = try sandbox.share(link)
    let second = try sandbox.share(link, "--duplicates", "keep")
    #expect(try sandbox.items().map(\.id) == [second, first])
  }

  @Test(arguments: Program.fileEngines) func refusedTogetherWithAllThatCameWithIt(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let first = try sandbox.share(link)
    let outcome = try sandbox.run("share", "--duplicates", "reject", "another", link)
    #expect(outcome.exitCode == 1 && outcome.stdout == "")
    #expect(outcome.stderr == "saver: \(first.suffix(8)) is this link already; nothing was saved\n")
    #expect(try sandbox.items().map(\.id) == [first])
    #expect(try sandbox.run("share", "--duplicates", "reject", "https://example.org/new").exitCode == 0)
  }

  @Test(arguments: Program.fileEngines) func theConfigurationSaysWhatBecomesOfDuplicates(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.write("{ share: { duplicates: 'keep' } }", to: sandbox.home + "/.config/saver/config.json5")
    try sandbox.share(link)
    try sandbox.share(link)
    #expect(try sandbox.items().count == 2)
    #expect(try sandbox.run("share", "--duplicates=reject", link).exitCode == 1)
  }

  @Test(arguments: Program.fileEngines) func onlyATextThatIsOneLinkIsADuplicate(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for text in ["note", "see \(link)", link, "\(link)#part", "\(link)?b=1"] {
      try sandbox.share(text)
      #expect(try sandbox.run("share", text).exitCode == 0)
    }
    #expect(try sandbox.items().count == 7)
    try sandbox.share("  \(link)?fbclid=x \n")
    #expect(try sandbox.items().count == 7)
  }

  /// Case 11.
  @Test(arguments: Program.fileEngines) func composedDecomposedAndPercentEncodedAreOne(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let composed = "https://example.org/caf\u{E9}"
    let forms = [composed, "https://example.org/cafe\u{301}", "https://example.org/caf%C3%A9"]
    let ids = Set(try forms.map { try sandbox.share($0) })
    #expect(ids.count == 1)
    #expect(isSame(try sandbox.items()[0].text, composed))
    for word in ["caf\u{E9}", "cafe\u{301}", "cafe", "CAFÉ"] {
      #expect(try sandbox.items("--search", word).count == 1, "\(word)")
    }
    let deleted = try sandbox.run("delete", "--yes", "--search", "cafe\u{301}", "--format", "tsv")
    #expect(deleted.exitCode == 0 && deleted.lines.count == 1)
    #expect(try sandbox.items().isEmpty)
  }

  /// Cases 14 and 15: long texts, links and tags are kept, links also recognised again.
  @Test(arguments: Program.fileEngines) func longOnes(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let long = String(repeating: "é—x 家", count: 90_000)
    #expect(try sandbox.run("share", "-", stdin: long).exitCode == 0)
    #expect(isSame(try sandbox.texts()[0], long))

    for length in [509, 510, 511, 512, 513, 4_000, 100_000] {
      let link = "https://example.org/" + String(repeating: "a", count: length - 20)
      let id = try sandbox.share(link)
      #expect(try sandbox.share(link) == id, "\(length)")
      // Another link that begins alike.
      #expect(try sandbox.share(String(link.dropLast() + "b")) != id, "\(length)")
      #expect(isSame(try sandbox.items("--search", link).first?.text, link), "\(length)")
    }

    let tag = String(repeating: "t", count: 5_000)
    let id = try sandbox.share("tagged", "--tag", tag)
    #expect(try sandbox.items("--tag", tag).map(\.id) == [id])
    #expect(try sandbox.items("--tag", String(tag.dropLast())).isEmpty)
    #expect(try sandbox.run("doctor").exitCode == 0)
  }
}

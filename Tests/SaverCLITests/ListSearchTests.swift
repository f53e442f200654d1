import Foundation
import Testing

@Suite struct ListSearchTests {
  /// Case 12.
  @Test(arguments: Program.fileEngines) func blindToCaseAndAccents(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for text in ["ÉCOLE", "Straße", "日本語のテキスト", "ﬁle", "Ελλάδα", "I can't"] { try sandbox.share(text) }
    let found = [
      "école": "ÉCOLE", "ecole": "ÉCOLE", "strasse": "Straße", "STRASSE": "Straße", "本語": "日本語のテキスト", "file": "ﬁle",
      "ελλαδα": "Ελλάδα", "can't": "I can't",
    ]
    for (words, text) in found { #expect(try sandbox.texts("--search", words) == [text], "\(words)") }
  }

  @Test(arguments: Program.fileEngines) func everyWordInAnyField(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("red apple", "--title", "Fruit", "--tag", "kitchen")
    try sandbox.share("red car")
    #expect(try sandbox.texts("--search", "red").count == 2)
    #expect(try sandbox.texts("--search", "kitchen RED fruit") == ["red apple"])
    #expect(try sandbox.texts("--search", "red  \t apple ") == ["red apple"])
    #expect(try sandbox.texts("--search", "apple car").isEmpty)
    #expect(try sandbox.texts("--search", "") == ["red car", "red apple"])
    #expect(try sandbox.texts("--search", " \t ") == ["red car", "red apple"])
    #expect(try sandbox.texts("--search", "red", "--tag", "kitchen") == ["red apple"])
  }

  /// Case 16: nothing in a search is syntax.
  @Test(arguments: Program.fileEngines) func specialCharactersAreCharacters(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let special = ["\"", "*", "(", ")", ":", "-", "^", "'", "@", "/", "\\", "%", "_", "AND", "NOT", "NEAR"]
    let texts = special.map { "x \($0) y" }
    let input = Data((texts + ["neutral"]).map { $0 + "\n" }.joined().utf8)
    try #require(try sandbox.run(["share", "--lines"], stdin: input).exitCode == 0)
    for (word, text) in zip(special, texts) {
      let outcome = try sandbox.run(["list", "--format=jsonl", "--search=\(word)"])
      #expect(outcome.exitCode == 0 && outcome.stderr == "", "\(word)")
      #expect(try ListedItem.lines(outcome.output).map(\.text) == [text], "\(word)")
      #expect(try sandbox.texts("--search", "y \(word) x") == [text], "\(word)")
    }
    for words in ["\"x", "x*", "x AND", "NOT x", "x NEAR/2 y", "tags:x", "(x", "';--", "%_%"] {
      let outcome = try sandbox.run(["list", "--search", words])
      #expect(outcome.exitCode == 0 && outcome.stderr == "", "\(words)")
    }
  }
}

import SaverCLI
import Testing

@Suite struct ArgumentsSuggestionTests {
  @Test(arguments: [
    ("lsit", "list"), ("lis", "list"), ("lists", "list"), ("exprot", "export"), ("ex", "export"), ("l", nil),
    ("x", nil),
    ("", nil), ("zzzz", nil), ("list", "list"), ("delte", "delete"),
  ])
  func nearest(word: String, suggestion: String?) {
    #expect(Suggestion.nearest(to: word, among: ["list", "export", "delete", "import"]) == suggestion)
  }

  @Test func aVeryLongWordIsNotCompared() {
    #expect(Suggestion.nearest(to: String(repeating: "list", count: 100_000), among: ["list"]) == nil)
  }
}

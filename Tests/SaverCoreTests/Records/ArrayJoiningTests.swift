import Testing

@testable import SaverCore

/// The package's own joining gives what the standard library's gives.
struct ArrayJoiningTests {
  @Test(arguments: [[], [""], ["a"], ["a", "b"], ["", "", ""], ["é", "\u{301}x", "👩‍👧"]], ["", ", ", "\u{301}"])
  func joining(_ texts: [String], _ separator: String) {
    let lazily = Array(texts.lazy.map { $0 }.joined(separator: separator).unicodeScalars)
    #expect(Array(texts.joined(separator: separator).unicodeScalars) == lazily)
  }
}

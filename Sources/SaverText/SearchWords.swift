/// The words of a search query, folded once and ready to be looked for in many rows.
///
/// The query is folded as `TextFolding` says and split at white space. Nothing in it has a meaning of its own: quotes,
/// `*`, `-`, `AND` and `%` are text. A word that folds to nothing (a lone mark, a zero-width space) asks for nothing.
public struct SearchWords: Sendable, Hashable {
  /// The folded words, each once, in the order of the query.
  public let words: [String]

  public init(_ query: String) {
    var seen: Set<String> = []
    words = TextFolding.fold(query).unicodeScalars
      .split { $0.properties.isWhitespace }
      .map { String($0) }
      .filter { seen.insert($0).inserted }
  }

  /// Whether the query asks for nothing; every row matches it.
  public var isEmpty: Bool { words.isEmpty }

  /// Whether every word occurs in some field; a convenience for one row, `SearchMatcher` is for many.
  public func matches(_ fields: [String]) -> Bool {
    var matcher = SearchMatcher(self)
    for var field in fields where field.withUTF8({ matcher.look(in: UnsafeRawBufferPointer($0)) }) { return true }
    return matcher.isMatch
  }
}

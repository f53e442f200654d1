/// The words of a search, folded. See ``TextFolding/fold(_:)``.
public struct SearchWords: Sendable {
  let words: [[UInt8]]

  /// Parts the query at white space. A word that folds to nothing is left out.
  public init(_ query: String) {
    words = query.split(whereSeparator: \.isWhitespace).map { Array(TextFolding.fold(String($0)).utf8) }
      .filter { !$0.isEmpty }
  }

  public var isEmpty: Bool { words.isEmpty }
}

/// Looks for the words of a query in one row after another.
///
///     var matcher = SearchMatcher(SearchWords("école paris"))
///     for row in rows {
///       matcher.begin()
///       if matcher.look(in: row.title) || matcher.look(in: row.text) { … }
///     }
///
/// A row matches when every word occurs, as a substring of the folded text, in some field; different words may be
/// found in different fields, but no word is found across two. linear in the fields' length for each word, but for texts that repeat one byte of it over and over; no
/// allocation once the scratch memory has grown to the longest field. A value is used by one thread at a time.
public struct SearchMatcher: ~Copyable {
  private let words: [SoughtBytes]

  // MARK: Mutable state
  // Owned by this value alone; exclusive access to the value guards it.

  /// Which words the row's fields have shown so far, and how many are still missing.
  private var isFound: [Bool]
  private var missingCount: Int
  private var buffer = FoldingBuffer()

  /// A matcher at the beginning of its first row.
  public init(_ words: SearchWords) {
    self.words = words.words.map { SoughtBytes(Array($0.utf8)) }
    isFound = Array(repeating: false, count: self.words.count)
    missingCount = self.words.count
  }

  /// Whether the fields looked at since `begin()` hold every word.
  public var isMatch: Bool { missingCount == 0 }

  /// Starts a row.
  public mutating func begin() {
    for index in isFound.indices { isFound[index] = false }
    missingCount = words.count
  }

  /// Looks for the missing words in one more field of the row, given as UTF-8, and returns `isMatch`.
  ///
  /// Bytes that are not valid UTF-8 count as U+FFFD; what is around them is still found.
  public mutating func look(in field: UnsafeRawBufferPointer) -> Bool {
    guard missingCount > 0, field.count > 0 else { return isMatch }
    buffer.fold(field)
    let text = buffer.folded
    for index in words.indices where !isFound[index] {
      guard words[index].occurs(in: text) else { continue }
      isFound[index] = true
      missingCount -= 1
    }
    return isMatch
  }
}

/// The room a text takes on a terminal, counted in cells.
///
/// A text is as wide as its grapheme clusters together; a cluster is as wide as its widest scalar: 2 for what East
/// Asian Width calls wide or full-width and for emoji, 0 for marks, joiners, U+200B and control characters, else 1.
/// So an emoji sequence with joiners is 2. Two more rules:
/// - U+FE0F after a character that has an emoji form asks for that form: the cluster is 2 (`⬇️`, keycaps). U+FE0E
///   changes nothing, as in most terminals.
/// - A pair of regional indicators is a flag: 2. A single one is 1.
///
/// Terminals differ in what they make of rare sequences; these rules are what the current ones agree on most. Control
/// characters have no width of their own: make them visible first (`VisibleText`).
public enum CellWidth {
  /// Where a text stands in a field that is wider.
  public enum Alignment: Sendable {
    case leading
    case trailing
  }

  /// The mark at the end of a text that was cut; one cell.
  public static let ellipsis = "…"

  /// The number of cells that the text takes.
  public static func cells(_ text: String) -> Int {
    isPrintableASCII(text) ? text.utf8.count : GraphemeClusters(text).reduce(0) { $0 + $1.cells }
  }

  /// The text, or, when it is wider than `limit` cells, its beginning and an ellipsis, together at most `limit`.
  ///
  /// The cut is between two grapheme clusters, so the result may be a cell narrower than the limit. With a limit of 0
  /// or less nothing is left.
  public static func truncate(_ text: String, toCells limit: Int) -> String {
    truncated(text, toCells: limit).text
  }

  /// The same, and how many cells the result takes.
  public static func truncated(_ text: String, toCells limit: Int) -> (text: String, cells: Int) {
    // Most texts need no look at their clusters: each byte is one.
    if isPrintableASCII(text) {
      if text.utf8.count <= limit { return (text, text.utf8.count) }
      return limit > 0 ? (String(decoding: text.utf8.prefix(limit - 1), as: UTF8.self) + ellipsis, limit) : ("", 0)
    }
    var cells = 0
    var cut = (end: text.startIndex, cells: 0)
    for cluster in GraphemeClusters(text) {
      cells += cluster.cells
      if cells < limit { cut = (cluster.end, cells) }
      if cells > limit { return limit > 0 ? (String(text[..<cut.end]) + ellipsis, cut.cells + 1) : ("", 0) }
    }
    return (text, cells)
  }

  /// The text with spaces after it, or before it, up to the number of cells; unchanged when it is that wide already.
  public static func pad(_ text: String, toCells width: Int, alignment: Alignment = .leading) -> String {
    let missing = width - cells(text)
    guard missing > 0 else { return text }
    let spaces = String(repeating: " ", count: missing)
    return alignment == .leading ? text + spaces : spaces + text
  }

  /// Over a span: an iterator of `utf8` takes 25 instructions for each byte of the many texts of a table.
  private static func isPrintableASCII(_ text: String) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices where bytes[index] < 0x20 || bytes[index] >= 0x7F { return false }
    return true
  }
}

internal import CUTF8Proc

/// The extended grapheme clusters of a text, each with its width in terminal cells.
///
/// `CellWidth` states the rules of the widths. Boundaries are utf8proc's, so that they and the widths come from one
/// version of Unicode.
struct GraphemeClusters: Sequence, IteratorProtocol {
  /// One cluster.
  struct Cluster {
    /// Where the cluster ends in the text.
    let end: String.Index
    let cells: Int
  }

  private let scalars: String.UnicodeScalarView
  private var position: String.Index
  /// utf8proc's memory of what it saw: flags and emoji sequences cannot be told from two scalars alone.
  private var breakState: Int32 = 0

  init(_ text: String) {
    scalars = text.unicodeScalars
    position = text.startIndex
  }

  mutating func next() -> Cluster? {
    guard position < scalars.endIndex else { return nil }
    var previous = scalars[position]
    scalars.formIndex(after: &position)
    var cells = Self.cells(of: previous)
    while position < scalars.endIndex {
      let scalar = scalars[position]
      if utf8proc_grapheme_break_stateful(Int32(previous.value), Int32(scalar.value), &breakState) { break }
      cells = Swift.max(cells, Self.cells(of: scalar))
      if Self.makesWide(scalar, after: previous) { cells = 2 }
      previous = scalar
      scalars.formIndex(after: &position)
    }
    return Cluster(end: position, cells: cells)
  }

  private static func cells(of scalar: Unicode.Scalar) -> Int {
    Int(utf8proc_charwidth(Int32(scalar.value)))
  }

  /// Whether the scalar turns what stands before it into something two cells wide: U+FE0F after a character that has
  /// an emoji form, and the second letter of a flag.
  private static func makesWide(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xFE0F: previous.properties.isEmoji
    case 0x1F1E6...0x1F1FF: (0x1F1E6...0x1F1FF).contains(previous.value)
    default: false
    }
  }
}

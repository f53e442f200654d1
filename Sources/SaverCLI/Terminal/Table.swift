internal import SaverText

/// Rows in columns that line up, for people.
///
/// Every cell is made visible and harmless (`VisibleText`) and measured in terminal cells (`CellWidth`). If the lines
/// are wider than the limit, the last flexible column becomes narrower, then the flexible ones before it, then the
/// others from the right, each down to one cell; cells are cut at grapheme boundaries and end with `…`. Only a limit
/// too small even for that is exceeded.
package struct Table: Sendable {
  package enum Alignment: Sendable {
    case leading
    case trailing
  }

  package struct Column: Sendable {
    var title: String
    var alignment: Alignment
    var isFlexible: Bool
    var role: TerminalStyle.Role?

    /// - Parameters:
    ///   - title: Shown only if the table has a header.
    ///   - isFlexible: Whether the column is cut first.
    ///   - role: The colour of its cells.
    package init(
      _ title: String = "", alignment: Alignment = .leading, isFlexible: Bool = false, role: TerminalStyle.Role? = nil
    ) {
      self.title = title
      self.alignment = alignment
      self.isFlexible = isFlexible
      self.role = role
    }
  }

  /// A text that is safe to print, measured once.
  private struct Cell {
    var text: String
    /// In terminal cells.
    var width: Int

    init(_ text: String) {
      self.text = text
      width = CellWidth.cells(text)
    }

    /// The cell, cut to a width if it is wider.
    func fitting(_ limit: Int) -> Cell {
      if width <= limit { return self }
      var cell = self
      (cell.text, cell.width) = CellWidth.truncated(text, toCells: limit)
      return cell
    }
  }

  private static let gap = "  "

  private let columns: [Column]
  private var rows: [[Cell]] = []

  package init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row below the others.
  /// - Precondition: one text for each column.
  package mutating func append(_ row: [String]) {
    precondition(row.count == columns.count, "A row has one text for each column")
    rows.append(row.map { Cell(VisibleText.escaped($0)) })
  }

  /// The lines, without line ends and without spaces at the end.
  ///
  /// - Parameter limit: The width of the terminal; `nil` cuts nothing.
  package func lines(limit: Int?, style: TerminalStyle, hasHeader: Bool = false) -> [String] {
    let header = hasHeader ? [columns.map { Cell($0.title) }] : []
    let widths = fittedWidths(of: header + rows, limit: limit)
    return header.map { line($0, widths: widths, style: style, isHeader: true) }
      + rows.map { line($0, widths: widths, style: style, isHeader: false) }
  }

  // MARK: Layout

  private func fittedWidths(of rows: [[Cell]], limit: Int?) -> [Int] {
    var widths = columns.indices.map { column in
      rows.lazy.map { $0[column].width }.max() ?? 0
    }
    guard let limit else { return widths }
    var excess = widths.reduce(0, +) + (columns.count - 1) * Self.gap.utf8.count - limit
    let order =
      columns.indices.reversed().filter { columns[$0].isFlexible }
      + columns.indices.reversed().filter { !columns[$0].isFlexible }
    for column in order where excess > 0 {
      let cut = min(excess, max(0, widths[column] - 1))
      widths[column] -= cut
      excess -= cut
    }
    return widths
  }

  private func line(_ row: [Cell], widths: [Int], style: TerminalStyle, isHeader: Bool) -> String {
    // The last text that is not empty ends the line.
    let end = row.lastIndex { !$0.text.isEmpty } ?? -1
    var line = ""
    for column in row.indices.prefix(end + 1) {
      if column > 0 { line += Self.gap }
      let cell = row[column].fitting(widths[column])
      let padding = String(repeating: " ", count: max(0, widths[column] - cell.width))
      let isTrailing = columns[column].alignment == .trailing
      if isTrailing { line += padding }
      line += style.apply(isHeader ? .heading : columns[column].role, to: cell.text)
      if !isTrailing, column < end { line += padding }
    }
    return line
  }
}

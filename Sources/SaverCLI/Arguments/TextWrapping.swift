internal import SaverText

/// Filling lines of help with words.
enum TextWrapping {
  /// The words of the text in lines of at most `width` cells; a longer word has a line of its own.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if line.isEmpty {
        line = String(word)
      } else if CellWidth.cells(line) + 1 + CellWidth.cells(String(word)) <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// The text's paragraphs, filled; lines that begin with a space, and empty lines, stay as they are.
  static func paragraphs(_ text: String, width: Int) -> [String] {
    guard !text.isEmpty else { return [] }
    var result: [String] = []
    var paragraph: [Substring] = []
    func fill() {
      result += lines(paragraph.joined(separator: " "), width: width)
      paragraph = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.first == " " {
        fill()
        result.append(String(line))
      } else {
        paragraph.append(line)
      }
    }
    fill()
    return result
  }
}

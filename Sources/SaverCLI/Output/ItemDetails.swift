import SaverKit
import SaverText

/// Everything about one item, line by line, for people.
enum ItemDetails {
  static func lines(_ item: SavedItem, _ style: TerminalStyle) -> [String] {
    var lines = [
      field("id", style.apply(.id, to: item.id.hexadecimalText), style)
    ]
    if let title = item.title { lines.append(field("title", VisibleText.escaped(title), style)) }
    if !item.tags.isEmpty {
      let tags = item.tags.map { "#" + VisibleText.escaped($0) }.joined(separator: " ")
      lines.append(field("tags", style.apply(.tag, to: tags), style))
    }
    if let link = item.link, link != item.text { lines.append(field("link", VisibleText.escaped(link), style)) }
    lines.append(field("created", style.apply(.date, to: DateText.localWithSeconds(item.createdAt)), style))
    lines.append(field("updated", style.apply(.date, to: DateText.localWithSeconds(item.updatedAt)), style))
    // The text in its own lines; only what could steer a terminal is made visible.
    let text = item.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if text.count == 1 {
      lines.append(field("text", VisibleText.escaped(item.text), style))
    } else {
      lines.append(field("text", "", style))
      lines += text.map { "  " + VisibleText.escaped(String($0)) }
    }
    return lines
  }

  private static func field(_ name: String, _ value: String, _ style: TerminalStyle) -> String {
    let label = style.apply(.heading, to: name)
    return value.isEmpty ? label : label + String(repeating: " ", count: 9 - name.utf8.count) + value
  }
}

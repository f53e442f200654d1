import FoundationEssentials
import SaverCore
import SaverKit

/// Items in columns, for people: short ids, local dates, a title before the text.
struct ItemTable {
  private var table: Table

  init(_ items: [SavedItem], fields: [SavedItemSelection.Field]) {
    table = Table(fields.map(Self.column))
    let length = ShortID.length(of: items.map(\.id))
    for item in items {
      table.append(fields.map { Self.text(item, $0, isTitleShown: fields.contains(.title), idLength: length) })
    }
  }

  func lines(limit: Int, style: TerminalStyle) -> [String] {
    table.lines(limit: limit, style: style)
  }

  private static func column(_ field: SavedItemSelection.Field) -> Table.Column {
    switch field {
    case .id: Table.Column(role: .id)
    case .text, .title: Table.Column(isFlexible: true)
    case .tags: Table.Column(isFlexible: false, role: .tag)
    case .createdAt, .updatedAt: Table.Column(role: .date)
    }
  }

  private static func text(
    _ item: SavedItem, _ field: SavedItemSelection.Field, isTitleShown: Bool, idLength: Int
  ) -> String {
    switch field {
    case .id: item.id.shortText(idLength)
    // Where the title has a column of its own, the text stands alone.
    case .text: isTitleShown ? item.text : item.headline
    case .title: item.title ?? ""
    case .tags: item.tags.map { "#" + $0 }.joined(separator: " ")
    case .createdAt: DateText.local(item.createdAt)
    case .updatedAt: DateText.local(item.updatedAt)
    }
  }
}

import FoundationEssentials
import SaverKit

extension JSONWriter {
  /// An item as an object, under the public names of its properties.
  mutating func item(_ item: SavedItem, _ fields: [SavedItemSelection.Field] = SavedItemSelection.Field.allCases) {
    object { json in
      for field in fields {
        switch field {
        case .id: json.member("id", item.id.hexadecimalText)
        case .text: json.member("text", item.text)
        case .title: json.member("title", item.title)
        case .tags: json.member("tags", item.tags)
        case .createdAt: json.member("createdAt", DateText.rfc3339(item.createdAt))
        case .updatedAt: json.member("updatedAt", DateText.rfc3339(item.updatedAt))
        }
      }
    }
  }
}

extension SavedItem {
  /// The item as one line of JSON.
  func jsonLine() -> [UInt8] {
    var json = JSONWriter()
    json.item(self)
    json.endLine()
    return json.takeBytes()
  }
}

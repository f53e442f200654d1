package import FoundationEssentials
package import SaverCore

/// A record of the shape of a saved item, for tests of what work costs.
package struct Link: Record, Hashable {
  package var id: UUID
  package var text: String
  package var title: String?
  package var tags: [String]
  package var createdAt: Date
  package var updatedAt: Date

  package static let schema = Schema(
    "link", version: 1,
    Field("id", \Self.id),
    Field("text", \.text),
    Field("title", \.title),
    Field("tags", \.tags, default: []),
    Field("created_at", \.createdAt, defaultsToNow: true, indexed: true),
    Field("updated_at", \.updatedAt, defaultsToNow: true),
    derived: [DerivedField("key", from: "text") { $0 }],
    make: Link.init(id:text:title:tags:createdAt:updatedAt:))

  /// A text and a title too long to be kept within a `String`, and tags that many others have, too.
  package init(_ number: Int) {
    self.init(
      id: .version7(), text: "https://example.com/article/\(number + 10_000)",
      title: "Article number \(number + 10_000)",
      tags: [[], ["swift"], ["swift", "reading-list"]][number % 3],
      createdAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)),
      updatedAt: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)))
  }

  package init(id: UUID, text: String, title: String?, tags: [String], createdAt: Date, updatedAt: Date) {
    self.id = id
    self.text = text
    self.title = title
    self.tags = tags
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

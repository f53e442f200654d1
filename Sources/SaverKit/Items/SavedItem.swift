public import FoundationEssentials
public import SaverCore

/// A link or a text that somebody shared.
///
/// The text is exactly what was shared. A link is recognised in it (``link``), never rewritten.
public struct SavedItem: Record, Hashable {
  public let id: UUID
  /// What was shared, never empty.
  public var text: String
  public var title: String?
  /// In the order in which they were given, each once.
  public var tags: [String]
  /// Whole milliseconds, so that every format carries it without loss.
  public var createdAt: Date
  /// Whole milliseconds.
  public var updatedAt: Date

  public init(
    id: UUID, text: String, title: String? = nil, tags: [String] = [], createdAt: Date, updatedAt: Date
  ) {
    self.id = id
    self.text = text
    self.title = title
    self.tags = tags
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// The column of what makes two links the same: see ``WebLink/duplicateKey(of:)``.
  static let duplicateKeyColumn = "duplicate_key"

  public static let schema = Schema(
    "item", version: 1,
    Field("id", \Self.id),
    Field("text", \.text),
    Field("title", \.title),
    Field("tags", \.tags, default: []),
    Field("created_at", \.createdAt, defaultsToNow: true, indexed: true),
    Field("updated_at", \.updatedAt, defaultsToNow: true),
    derived: [DerivedField(duplicateKeyColumn, from: "text") { WebLink.duplicateKey(of: $0) ?? "" }],
    make: SavedItem.init(id:text:title:tags:createdAt:updatedAt:))

  /// The first link in the text, whole and unchanged; `nil` if there is none.
  public var link: String? { WebLink.first(in: text).map(String.init) }

  /// What a list shows where there is room for one line: the title, or else the text.
  public var headline: String {
    guard let title, !title.isEmpty else { return text }
    return title
  }
}

extension SavedItem {
  /// Two texts are the same if their bytes are, as in a store: Swift's own equality takes a composed letter for a
  /// decomposed one, and a change from one to the other would be none.
  public static func == (item: SavedItem, other: SavedItem) -> Bool {
    item.id == other.id && item.createdAt == other.createdAt && item.updatedAt == other.updatedAt
      && item.text.utf8.elementsEqual(other.text.utf8)
      && item.title?.utf8.count == other.title?.utf8.count
      && (item.title ?? "").utf8.elementsEqual((other.title ?? "").utf8)
      && item.tags.elementsEqual(other.tags) { $0.utf8.elementsEqual($1.utf8) }
  }
}

extension Date {
  /// The date at the millisecond that it lies in: the nearest.
  public var wholeMilliseconds: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}

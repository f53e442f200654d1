public import FoundationEssentials
public import SaverCore

/// A record as a program has it: a few fields, some indexed, one derived.
public struct Note: TransparentRecord, Hashable {
  public enum Kind: String, CaseIterable, OrderedFieldValue, Codable {
    // Not in the order of the raw values, which is the one that counts.
    case note, link, image
  }

  public let id: UUID
  public var text: String
  public var title: String?
  public var tags: [String]
  public var kind: Kind
  public var isDone: Bool
  public var rank: Int
  public var createdAt: Date
  public var remindAt: Date?

  public init(
    id: UUID, text: String, title: String? = nil, tags: [String] = [], kind: Kind = .note, isDone: Bool = false,
    rank: Int = 0, createdAt: Date = Date(timeIntervalSince1970: 1_700_000_000), remindAt: Date? = nil
  ) {
    self.id = id
    self.text = text
    self.title = title
    self.tags = tags
    self.kind = kind
    self.isDone = isDone
    self.rank = rank
    self.createdAt = createdAt
    self.remindAt = remindAt
  }

  public static let schema = Schema(
    "note", version: 1,
    Field("id", \Self.id),
    Field("text", \.text),
    Field("title", \.title, indexed: true),
    Field("tags", \.tags),
    Field("kind", \.kind),
    Field("is_done", \.isDone),
    Field("rank", \.rank),
    Field("created_at", \.createdAt, indexed: true),
    Field("remind_at", \.remindAt),
    indexes: [Index(\.isDone, \.rank), Index(\.kind, \.remindAt, \.createdAt)],
    derived: [DerivedField("topic", from: "text", topic(of:))],
    make: Self.init(id:text:title:tags:kind:isDone:rank:createdAt:remindAt:))

  /// What stands before the first colon, in lower case; empty if there is none.
  @Sendable static func topic(of text: String) -> String {
    guard let colon = text.firstIndex(of: ":") else { return "" }
    return text[..<colon].lowercased()
  }

  public static var columns: [String] { schema.type.fields.map(\.name) }

  public func value(of column: String) -> StoredValue {
    switch column {
    case "id": .uuid(id)
    case "text": .text(text)
    case "title": title.map { .text($0) } ?? .null
    case "tags": .texts(tags)
    case "kind": .text(kind.rawValue)
    case "is_done": .bool(isDone)
    case "rank": .int(rank)
    case "created_at": .date(createdAt)
    case "remind_at": remindAt.map { .date($0) } ?? .null
    case "topic": .text(Self.topic(of: text))
    default: preconditionFailure("a note has no '\(column)'")
    }
  }
}

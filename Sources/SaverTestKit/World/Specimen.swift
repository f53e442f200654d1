public import FoundationEssentials
public import SaverCore

/// A record with a field of every type, and with an optional one of each; none is indexed.
///
/// More fields than there are written-out initialisers of a schema for: it goes through the parameter pack.
public struct Specimen: Hashable {
  public enum Kind: String, CaseIterable, OrderedFieldValue {
    case stone = "m"
    case plant = "b"
    case animal = "z"
    case other = ""
  }

  public enum Rank: Int, CaseIterable, OrderedFieldValue, Comparable {
    case low = -5
    case middle = 0
    case high = 300

    public static func < (rank: Self, other: Self) -> Bool { rank.rawValue < other.rawValue }
  }

  public let id: UUID
  public var bool: Bool
  public var int: Int
  public var double: Double
  public var text: String
  public var data: Data
  public var date: Date
  public var uuid: UUID
  public var tags: [String]
  public var kind: Kind
  public var rank: Rank
  public var maybeBool: Bool?
  public var maybeInt: Int?
  public var maybeDouble: Double?
  public var maybeText: String?
  public var maybeData: Data?
  public var maybeDate: Date?
  public var maybeUUID: UUID?
  public var maybeTags: [String]?
  public var maybeKind: Kind?
  public var maybeRank: Rank?
}

extension Specimen: TransparentRecord {
  public static let schema = Schema(
    "specimen", version: 1,
    Field("id", \Self.id), Field("bool", \.bool), Field("int", \.int), Field("double", \.double),
    Field("text", \.text), Field("data", \.data), Field("date", \.date), Field("uuid", \.uuid),
    Field("tags", \.tags), Field("kind", \.kind), Field("rank", \.rank),
    Field("maybe_bool", \.maybeBool), Field("maybe_int", \.maybeInt), Field("maybe_double", \.maybeDouble),
    Field("maybe_text", \.maybeText), Field("maybe_data", \.maybeData), Field("maybe_date", \.maybeDate),
    Field("maybe_uuid", \.maybeUUID), Field("maybe_tags", \.maybeTags), Field("maybe_kind", \.maybeKind),
    Field("maybe_rank", \.maybeRank),
    make: Self.init(
      id:bool:int:double:text:data:date:uuid:tags:kind:rank:maybeBool:maybeInt:maybeDouble:maybeText:maybeData:
      maybeDate:
      maybeUUID:maybeTags:maybeKind:maybeRank:))

  public static var columns: [String] { schema.type.fields.map(\.name) }

  public func value(of column: String) -> StoredValue {
    switch column {
    case "id": .uuid(id)
    case "bool": .bool(bool)
    case "int": .int(int)
    case "double": .double(double)
    case "text": .text(text)
    case "data": .data(data)
    case "date": .date(date)
    case "uuid": .uuid(uuid)
    case "tags": .texts(tags)
    case "kind": .text(kind.rawValue)
    case "rank": .int(rank.rawValue)
    case "maybe_bool": maybeBool.map { .bool($0) } ?? .null
    case "maybe_int": maybeInt.map { .int($0) } ?? .null
    case "maybe_double": maybeDouble.map { .double($0) } ?? .null
    case "maybe_text": maybeText.map { .text($0) } ?? .null
    case "maybe_data": maybeData.map { .data($0) } ?? .null
    case "maybe_date": maybeDate.map { .date($0) } ?? .null
    case "maybe_uuid": maybeUUID.map { .uuid($0) } ?? .null
    case "maybe_tags": maybeTags.map { .texts($0) } ?? .null
    case "maybe_kind": maybeKind.map { .text($0.rawValue) } ?? .null
    case "maybe_rank": maybeRank.map { .int($0.rawValue) } ?? .null
    default: preconditionFailure("a specimen has no '\(column)'")
    }
  }
}

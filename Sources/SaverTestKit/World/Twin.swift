public import FoundationEssentials
public import SaverCore

/// One of two records that are always written together, with the same values: where one is without the other, or differs
/// from it, somebody has seen half of a transaction.
public struct Twin: TransparentRecord, Hashable {
  public let id: UUID
  public var partner: UUID
  /// Who wrote it: a number of a ``TwinScript``.
  public var writer: Int
  /// The step that wrote it last.
  public var step: Int
  public var shelf: String
  public var rank: Int
  public var isDone: Bool
  public var text: String

  public static let schema = Schema(
    "twin", version: 1,
    Field("id", \Self.id),
    Field("partner", \.partner),
    Field("writer", \.writer, default: -1),
    Field("step", \.step, default: 0),
    Field("shelf", \.shelf, default: "a"),
    Field("rank", \.rank, default: 0, indexed: true),
    Field("is_done", \.isDone, default: false),
    Field("text", \.text, default: ""),
    indexes: [Index(\.shelf, \.rank), Index(\.writer)],
    make: Self.init(id:partner:writer:step:shelf:rank:isDone:text:))

  static let shelves = ["a", "b", "c", "d", "e"]

  public static var columns: [String] { schema.type.fields.map(\.name) }

  public func value(of column: String) -> StoredValue {
    switch column {
    case "id": .uuid(id)
    case "partner": .uuid(partner)
    case "writer": .int(writer)
    case "step": .int(step)
    case "shelf": .text(shelf)
    case "rank": .int(rank)
    case "is_done": .bool(isDone)
    case "text": .text(text)
    default: preconditionFailure("a twin has no '\(column)'")
    }
  }

  /// The same values under the partner's id.
  var other: Twin {
    Twin(
      id: partner, partner: id, writer: writer, step: step, shelf: shelf, rank: rank, isDone: isDone, text: text)
  }

  /// What is torn in a set of records that holds both of each two, or neither.
  static func tear(in twins: some Collection<Twin>) -> String? {
    let byID = Dictionary(twins.map { ($0.id, $0) }) { first, _ in first }
    if byID.count != twins.count { return "\(twins.count - byID.count) ids are there twice" }
    for twin in twins {
      guard let other = byID[twin.partner] else { return "\(twin.id.hexadecimal) has no partner" }
      if other != twin.other { return "\(twin.id.hexadecimal) and its partner differ" }
    }
    return nil
  }
}

/// A number for the content and the order of a list: FNV-1a.
struct Fingerprint: CustomStringConvertible {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }

  mutating func add(_ number: Int) { withUnsafeBytes(of: number.littleEndian) { for byte in $0 { add(byte) } } }

  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xff)
  }

  mutating func add(_ id: UUID) { withUnsafeBytes(of: id.uuid) { for byte in $0 { add(byte) } } }

  mutating func add(_ twin: Twin) {
    add(twin.id)
    add(twin.partner)
    add(twin.writer)
    add(twin.step)
    add(twin.shelf)
    add(twin.rank)
    add(twin.isDone ? 1 : 0)
    add(twin.text)
  }

  static func of(_ twins: some Sequence<Twin>) -> Fingerprint {
    var fingerprint = Fingerprint()
    for twin in twins { fingerprint.add(twin) }
    return fingerprint
  }

  var description: String { String(value, radix: 16) }
}

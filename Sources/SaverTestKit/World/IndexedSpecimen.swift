public import FoundationEssentials
public import SaverCore

/// The same as a ``Specimen``, with an index of every field that can have one, and some over several.
public struct IndexedSpecimen: TransparentRecord, Hashable {
  public var specimen: Specimen
  public var id: UUID { specimen.id }

  public init(_ specimen: Specimen) {
    self.specimen = specimen
  }

  public static let schema = Schema(
    "indexed_specimen", version: 1,
    Field("id", \Self.specimen.id),
    Field("bool", \.specimen.bool, indexed: true),
    Field("int", \.specimen.int, indexed: true),
    Field("double", \.specimen.double, indexed: true),
    Field("text", \.specimen.text, indexed: true),
    Field("data", \.specimen.data, indexed: true),
    Field("date", \.specimen.date, indexed: true),
    Field("uuid", \.specimen.uuid, indexed: true),
    Field("tags", \.specimen.tags),
    Field("kind", \.specimen.kind, indexed: true),
    Field("rank", \.specimen.rank, indexed: true),
    Field("maybe_bool", \.specimen.maybeBool, indexed: true),
    Field("maybe_int", \.specimen.maybeInt, indexed: true),
    Field("maybe_double", \.specimen.maybeDouble, indexed: true),
    Field("maybe_text", \.specimen.maybeText, indexed: true),
    Field("maybe_data", \.specimen.maybeData, indexed: true),
    Field("maybe_date", \.specimen.maybeDate, indexed: true),
    Field("maybe_uuid", \.specimen.maybeUUID, indexed: true),
    Field("maybe_tags", \.specimen.maybeTags),
    Field("maybe_kind", \.specimen.maybeKind, indexed: true),
    Field("maybe_rank", \.specimen.maybeRank, indexed: true),
    indexes: [
      Index(\.specimen.maybeInt, \.specimen.text),
      Index(\.specimen.bool, \.specimen.maybeDate, \.specimen.int),
      Index(\.specimen.text, \.specimen.maybeInt),
      Index(\.specimen.rank, \.specimen.maybeText),
    ],
    make: {
      id, bool, int, double, text, data, date, uuid, tags, kind, rank, maybeBool, maybeInt, maybeDouble, maybeText,
      maybeData, maybeDate, maybeUUID, maybeTags, maybeKind, maybeRank in
      IndexedSpecimen(
        Specimen(
          id: id, bool: bool, int: int, double: double, text: text, data: data, date: date, uuid: uuid, tags: tags,
          kind: kind, rank: rank, maybeBool: maybeBool, maybeInt: maybeInt, maybeDouble: maybeDouble,
          maybeText: maybeText, maybeData: maybeData, maybeDate: maybeDate, maybeUUID: maybeUUID, maybeTags: maybeTags,
          maybeKind: maybeKind, maybeRank: maybeRank))
    })

  public static var columns: [String] { Specimen.columns }
  public func value(of column: String) -> StoredValue { specimen.value(of: column) }
}

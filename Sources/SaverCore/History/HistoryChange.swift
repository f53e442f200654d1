public import FoundationEssentials

/// One entry of the history: a row that was written or deleted.
public struct HistoryChange: Hashable, Sendable {
  /// What happened to the row. Advisory: another program's REPLACE can be logged as an update and an insert of one id, or
  /// as an update of a row that is gone. What counts is the row as it is now.
  public enum Kind: String, Hashable, Sendable {
    case insert, update, delete
    /// Something that the history cannot tell has changed before this entry: another program wrote past it, or the
    /// schema was migrated. Whoever meets it compares in full.
    case unknown
  }

  /// Its place in the history: in the order of the commits, with gaps that mean nothing.
  public var sequence: Int64
  /// The name of the record type; empty for ``Kind/unknown``.
  public var type: String
  /// The id of the row; all zeros for ``Kind/unknown``.
  public var id: UUID
  public var kind: Kind

  public init(sequence: Int64, type: String, id: UUID, kind: Kind) {
    self.sequence = sequence
    self.type = type
    self.id = id
    self.kind = kind
  }
}

public import FoundationEssentials

/// What has changed between two snapshots, as the history tells it: the ids, by record type.
public struct ChangeSet: Sendable {
  /// A changed row.
  public struct Change: Sendable {
    public var id: UUID
    /// What the first entry says about the row as it was before all of these changes.
    public var before: Before

    public init(id: UUID, before: Before) {
      self.id = id
      self.before = before
    }
  }

  public enum Before: Sendable {
    /// It was not there.
    case absent
    /// It was there, as this row.
    case present(StoredRow)
    /// The history does not say how it was.
    case unknown
  }

  /// Each id once, in the order of its first change.
  public private(set) var changes: [String: [Change]] = [:]
  private var seen: [String: Set<UUID>] = [:]
  public private(set) var count = 0

  public init() {}

  public func changes(of type: RecordType) -> [Change] { changes[type.name] ?? [] }

  /// Notes an entry of the history; `row` is the row as it was, empty if the history has none.
  public mutating func note(_ change: HistoryChange, _ row: borrowing RowView) {
    guard seen[change.type, default: []].insert(change.id).inserted else { return }
    count += 1
    let before: Before =
      switch change.kind {
      case .insert: .absent
      case .update, .delete: row.count > 0 ? .present(StoredRow(copying: row)) : .unknown
      case .unknown: .unknown
      }
    changes[change.type, default: []].append(Change(id: change.id, before: before))
  }
}

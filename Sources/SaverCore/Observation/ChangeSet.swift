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

  /// The changes of one type.
  private struct List {
    let type: String
    /// Each id once, in the order of its first change.
    var changes: [Change] = []
    /// Their ids, once they are so many that looking through them takes longer than hashing.
    var ids: Set<UUID> = []

    private static let hashedFrom = 16

    mutating func has(_ id: UUID) -> Bool {
      if changes.count < Self.hashedFrom { return changes.contains { $0.id == id } }
      if ids.isEmpty { ids = Set(changes.map { $0.id }) }
      return ids.contains(id)
    }

    mutating func append(_ change: Change) {
      changes.append(change)
      if !ids.isEmpty { ids.insert(change.id) }
    }
  }

  /// Few: a store has few types.
  private var lists: [List] = []
  public private(set) var count = 0

  public init() {}

  public func changes(of type: RecordType) -> [Change] {
    for list in lists where list.type == type.name { return list.changes }
    return []
  }

  /// Notes an entry of the history; `row` is the row as it was, empty if the history has none.
  public mutating func note(_ change: HistoryChange, _ row: borrowing RowView) {
    let number = lists.firstIndex { $0.type == change.type } ?? lists.count
    if number == lists.count { lists.append(List(type: change.type)) }
    if lists[number].has(change.id) { return }
    count += 1
    let before: Before =
      switch change.kind {
      case .insert: .absent
      case .update, .delete: row.count > 0 ? .present(StoredRow(copying: row)) : .unknown
      case .unknown: .unknown
      }
    lists[number].append(Change(id: change.id, before: before))
  }

  /// All of them, whatever their type; for tests.
  package var all: [Change] { lists.flatMap { $0.changes } }
}

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

  /// The changes of one record type.
  private struct TypeChanges {
    let type: String
    var changes: [Change] = []
    /// Their ids, as soon as there are many: a few are looked through sooner than one is hashed.
    var ids: Set<UUID> = []

    init(_ type: String) {
      self.type = type
    }

    /// Appends a change, unless there is one with this id.
    mutating func note(_ id: UUID, _ before: @autoclosure () -> Before) -> Bool {
      if changes.count < Self.manyChanges {
        if changes.contains(where: { $0.id == id }) { return false }
      } else {
        if ids.isEmpty { ids = Set(changes.lazy.map { $0.id }) }
        if !ids.insert(id).inserted { return false }
      }
      changes.append(Change(id: id, before: before()))
      return true
    }

    private static let manyChanges = 16
  }

  private var types: [TypeChanges] = []
  /// Of all types.
  public private(set) var count = 0

  public init() {}

  /// Each id once, in the order of its first change.
  public func changes(of type: RecordType) -> [Change] {
    types.first { $0.type == type.name }?.changes ?? []
  }

  /// The ids of all types.
  public var ids: [UUID] { types.flatMap { $0.changes.map { $0.id } } }

  /// Notes an entry of the history; `row` is the row as it was, empty if the history has none.
  public mutating func note(_ change: HistoryChange, _ row: borrowing RowView) {
    let known = types.firstIndex { $0.type == change.type }
    if known == nil { types.append(TypeChanges(change.type)) }
    if types[known ?? types.count - 1].note(change.id, Self.before(change, row)) { count += 1 }
  }

  private static func before(_ change: HistoryChange, _ row: borrowing RowView) -> Before {
    switch change.kind {
    case .insert: .absent
    case .update, .delete: row.count > 0 ? .present(StoredRow(copying: row)) : .unknown
    case .unknown: .unknown
    }
  }
}

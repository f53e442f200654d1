import FoundationEssentials
import SaverCore
import SaverKit

/// What has happened to a list without a limit between a token and a later state of it.
enum MissedChanges {
  /// Known, in the order of the history.
  case events([WatchEvent])
  /// Not to be told; why, in one word.
  case unknown(String)

  /// - Parameter update: the later state.
  init(
    since token: HistoryToken, until update: ListUpdate<SavedItem>, _ selection: SavedItemSelection, _ store: Store
  ) throws {
    self = try store.read { try Self.read($0, token, update, selection) }
  }

  private static func read(
    _ transaction: borrowing ReadTransaction, _ token: HistoryToken, _ update: ListUpdate<SavedItem>,
    _ selection: SavedItemSelection
  ) throws -> MissedChanges {
    // The store may have gone on since the update, or have become another one; both tokens must lead here.
    for token in [token, update.token] {
      let standing = try transaction.standing(of: token)
      guard standing == .usable else { return .unknown(standing.rawValue) }
    }
    guard token.sequence <= update.token.sequence else { return .unknown(HistoryToken.Standing.ahead.rawValue) }
    let type = SavedItem.schema.type
    let filter = try CompiledFilter(selection.query.filter, type)
    var isKnown = true
    /// Each id once, in the order of its first change, and whether it was in the list before.
    var changed: [(id: UUID, wasListed: Bool?)] = []
    var seen: Set<UUID> = []
    try transaction.engine.changes(after: token.sequence) { change, row in
      guard change.sequence <= update.token.sequence else { return false }
      guard change.kind != .unknown else {
        isKnown = false
        return false
      }
      guard change.type == type.name, seen.insert(change.id).inserted else { return true }
      // Without the old row, nobody can say.
      changed.append((change.id, change.kind == .insert ? false : row.count > 0 ? filter.matches(row) : nil))
      return true
    }
    guard isKnown else { return .unknown("unknownChanges") }
    return .events(events(changed, update.items))
  }

  private static func events(
    _ changed: [(id: UUID, wasListed: Bool?)], _ items: RecordList<SavedItem>
  ) -> [WatchEvent] {
    if changed.isEmpty { return [] }
    var indexes: [UUID: Int] = [:]
    for (index, id) in items.ids.enumerated() { indexes[id] = index }
    return changed.compactMap { change in
      switch (change.wasListed, indexes[change.id]) {
      case (false, let index?): .inserted(items[index])
      case (_, let index?): .updated(items[index])
      case (false, nil): nil
      // Said of one too many, if its old row was not kept: it may never have been listed.
      case (_, nil): .deleted(change.id)
      }
    }
  }
}

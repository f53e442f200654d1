import FoundationEssentials
import SaverCore
import SaverKit

/// What a watcher tells of a list.
enum WatchEvent {
  /// The list as it is: so many items.
  case snapshot(count: Int)
  case inserted(SavedItem)
  case updated(SavedItem)
  /// Deleted, or not in the list any more.
  case deleted(UUID)
  /// The list cannot be told from where it was; a snapshot follows.
  case reset(String)
}

extension WatchEvent {
  /// What has changed between two publications: what went first, then what came and changed in the order of the list.
  static func changes(_ difference: ListDifference<SavedItem>) -> [WatchEvent] {
    var events = difference.deleted.map { WatchEvent.deleted($0.id) }
    var inserted = difference.inserted[...]
    for update in difference.updated {
      while let insertion = inserted.first, insertion.index < update.index {
        events.append(.inserted(insertion.record))
        inserted.removeFirst()
      }
      events.append(.updated(update.record))
    }
    return events + inserted.map { .inserted($0.record) }
  }
}

import SaverCore
import SaverKit

/// Where a watcher shows what it is told.
protocol WatchOutput {
  /// A publication: the state of the list, and what has changed.
  mutating func publish(_ update: ListUpdate<SavedItem>) throws
  /// What keeps the list from being shown as it is, for people, is another than before; `nil`: nothing any more.
  mutating func show(trouble: String?) throws
  /// The terminal may have another size.
  mutating func refresh() throws
  /// The process is about to be stopped, or has been told to go on.
  mutating func suspend() throws
  mutating func resume() throws
  /// The last call, whatever happened.
  mutating func end()
}

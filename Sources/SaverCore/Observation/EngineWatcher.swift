/// What the observer of a store looks with: a way of reading of its own, so that revisions can be compared.
///
/// Used by one thread at a time, for short snapshots; idle, it holds no snapshot.
public protocol EngineWatcher: AnyObject, Sendable {
  /// Runs `body` on a fresh snapshot, as ``Engine/read(_:)`` does.
  func read(_ body: (any EngineReadTransaction) throws -> Void) throws

  /// Looks whether the store's path still names the file that is open; opens the new one if not, for the whole engine.
  /// Mends what a writer that was killed has left, if it keeps readers from seeing a commit.
  ///
  /// Called outside any snapshot: at each event on the store's name and at each slow check.
  ///
  /// - Throws: ``StorageError`` if what has taken the store's place cannot be opened. Called again later.
  func lookAfterStore() throws -> StorePlace

  /// Called after each look, outside any snapshot, when what was found is published: for what nobody has to wait for. Does
  /// nothing unless an engine has something to do then.
  func didPublish()
}

extension EngineWatcher {
  public func didPublish() {}
}

/// What is where a store was opened.
public enum StorePlace: Hashable, Sendable {
  /// The store that is open.
  case unchanged
  /// Another file; it is open now, and everything may be different.
  case replaced
  /// Nothing. What is open still holds what it held.
  case missing
}

public import SaverCore

/// Lists and numbers that stay true, whichever process commits.
///
/// Each iteration observes the store by itself, from its beginning until its task is cancelled or its iterator released.
/// A list of all items holds all of them: front ends ask for a window.
extension SavedItemRepository {
  /// The items of a selection as they are, and as they become.
  public func live(matching selection: SavedItemSelection = SavedItemSelection()) -> LiveList<SavedItem> {
    store.live(selection.query)
  }

  /// The first items of a selection, at most `limit`: a window that is refilled when items go.
  public func live(matching selection: SavedItemSelection = SavedItemSelection(), limit: Int) -> LiveList<SavedItem> {
    store.live(selection.query(limit: limit))
  }

  /// The first items of a selection in sections of those that have the same key, their day for example, in the time zone
  /// that the caller knows. Sort the selection so that they stand together.
  public func liveSections<Key: Hashable & Sendable>(
    matching selection: SavedItemSelection = SavedItemSelection(), limit: Int = .max,
    by key: @escaping @Sendable (SavedItem) -> Key
  ) -> LiveSections<Key, SavedItem> {
    live(matching: selection, limit: limit).sectioned(by: key)
  }

  /// The number of items of a selection, its limit included.
  public func liveCount(matching selection: SavedItemSelection = SavedItemSelection()) -> LiveCount<SavedItem> {
    store.liveCount(selection.query)
  }
}

extension SavedItemSelection {
  /// At most `limit` items of the selection.
  func query(limit: Int) -> Query<SavedItem> {
    query.limit(min(limit, self.limit ?? .max))
  }
}

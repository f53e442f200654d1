import SaverCore

/// An item that somebody else has changed since it was read for an edit; nothing was saved.
public struct EditConflict: Error, Hashable, Sendable {
  /// As the edit began.
  public var base: SavedItem
  /// As the edit would have it.
  public var edited: SavedItem
  /// As it is in the store.
  public var current: SavedItem

  public init(base: SavedItem, edited: SavedItem, current: SavedItem) {
    self.base = base
    self.edited = edited
    self.current = current
  }
}

extension EditConflict: CustomStringConvertible {
  public var description: String { "the item \(base.id.hexadecimal) has changed meanwhile; nothing was saved" }
}

public import FoundationEssentials
public import SaverCore

/// The saved items of a store: what every front end talks to. Nothing of storage shows through.
///
/// Every function runs its work on a thread of its own, never on the cooperative pool and never on the caller's actor,
/// and may be called from anywhere; unless the program says that its callers may block (``Blocking/callers``).
public struct SavedItemRepository: Sendable {
  /// Where times and ids come from.
  public struct Environment: Sendable {
    public var now: @Sendable () -> Date
    public var makeID: @Sendable () -> UUID

    public init(now: @escaping @Sendable () -> Date, makeID: @escaping @Sendable () -> UUID) {
      self.now = now
      self.makeID = makeID
    }

    /// The clock, and identifiers of version 7.
    public static var live: Environment { Environment(now: { Date.now }, makeID: { UUID.version7() }) }
  }

  /// Which threads wait for the disk and for other writers.
  public enum Blocking: Sendable {
    /// The repository's own.
    case ownThreads
    /// The caller's, for a program that does one thing after the other on a thread of its own: a command saves the start
    /// of a thread. Never from an actor, nor from the cooperative pool.
    case callers
  }

  let store: Store
  let environment: Environment
  private let blocking: Blocking

  public init(_ store: Store, environment: Environment = .live, blocking: Blocking = .ownThreads) {
    self.store = store
    self.environment = environment
    self.blocking = blocking
  }

  // MARK: Reading

  /// The item of this id; `nil` if there is none.
  public func item(_ id: UUID) async throws -> SavedItem? {
    try await read { try $0.record(SavedItem.self, id: id) }
  }

  /// The items of a selection, in its order.
  public func items(matching selection: SavedItemSelection = SavedItemSelection()) async throws -> [SavedItem] {
    try await read { try $0.fetch(selection.query) }
  }

  /// Hands the items of a selection to `body`, one at a time, from one snapshot; keeps none, so that memory does not grow
  /// with the list. `body` runs on the repository's thread; it ends the walk by returning `false`.
  public func forEach(
    matching selection: SavedItemSelection, _ body: @escaping @Sendable (SavedItem) throws -> Bool
  ) async throws {
    try await read { try $0.forEach(selection.query, body) }
  }

  /// The number of items of a selection, its limit included.
  public func count(matching selection: SavedItemSelection = SavedItemSelection()) async throws -> Int {
    try await read { try $0.count(selection.query) }
  }

  /// The items that people's references name, in their order.
  ///
  /// - Throws: ``ItemReferenceError`` if one names no item, or several.
  public func items(named references: [ItemReference]) async throws -> [SavedItem] {
    try await read { transaction in
      try transaction.resolve(references).map { id in
        try transaction.record(SavedItem.self, id: id) ?? { throw ItemReferenceError.vanished(id) }()
      }
    }
  }

  // MARK: Writing

  /// Changes one item; `change` is called with the item as it is in the store when the write happens.
  ///
  /// - Throws: ``ItemReferenceError`` if there is no such item; what `change` throws, and then nothing has changed.
  @discardableResult
  public func update(
    _ id: UUID, _ change: @escaping @Sendable (inout SavedItem) throws -> Void
  ) async throws -> SavedItem {
    let now = environment.now().wholeMilliseconds
    return try await write("edit") { transaction in
      guard var item = try transaction.record(SavedItem.self, id: id) else { throw ItemReferenceError.vanished(id) }
      let old = item
      try change(&item)
      if item == old { return item }
      item.updatedAt = max(now, old.updatedAt)
      try transaction.update(item)
      return item
    }
  }

  /// Saves an item as it was edited, unless somebody else has changed it since the edit began.
  ///
  /// - Parameter overwriting: saves it all the same.
  /// - Returns: the item as it is in the store now, with the time of this change.
  /// - Throws: ``EditConflict``; ``ItemReferenceError`` if the item is gone. Nothing has changed then.
  @discardableResult
  public func save(
    _ edited: SavedItem, editedFrom base: SavedItem, overwriting: Bool = false
  ) async throws -> SavedItem {
    precondition(edited.id == base.id, "an edit does not change the id")
    return try await update(base.id) { current in
      guard overwriting || current == base else {
        throw EditConflict(base: base, edited: edited, current: current)
      }
      current = edited
    }
  }

  /// Deletes all the named items, or none.
  ///
  /// - Returns: what was deleted, in the order of the references, each once.
  /// - Throws: ``ItemReferenceError`` if one names no item, or several.
  @discardableResult
  public func delete(named references: [ItemReference]) async throws -> [SavedItem] {
    try await write("delete") { transaction in
      var deleted: [SavedItem] = []
      for id in try transaction.resolve(references) {
        // Named twice: it is gone already.
        guard let item = try transaction.record(SavedItem.self, id: id) else { continue }
        try transaction.delete(SavedItem.self, id: id)
        deleted.append(item)
      }
      return deleted
    }
  }

  /// Deletes the items of these ids that are still there; returns them.
  @discardableResult
  public func delete(_ ids: [UUID]) async throws -> [SavedItem] {
    try await write("delete") { transaction in
      var deleted: [SavedItem] = []
      for id in ids {
        guard let item = try transaction.record(SavedItem.self, id: id) else { continue }
        try transaction.delete(SavedItem.self, id: id)
        deleted.append(item)
      }
      return deleted
    }
  }

  /// Deletes the items of a selection, its limit included; returns them in its order.
  @discardableResult
  public func delete(matching selection: SavedItemSelection) async throws -> [SavedItem] {
    try await write("delete") { transaction in
      let items = try transaction.fetch(selection.query)
      for item in items { try transaction.delete(SavedItem.self, id: item.id) }
      return items
    }
  }

  // MARK: Threads

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing ReadTransaction) throws -> Result
  ) async throws -> Result {
    try await block { try $0.read(body) }
  }

  /// - Parameter name: the operation's, for the history.
  func write<Result: Sendable>(
    _ name: String, _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
  ) async throws -> Result {
    try await block { try $0.write(WriteOperation(name), body) }
  }

  /// Runs what blocks where this repository lets it.
  func block<Result: Sendable>(_ body: @escaping @Sendable (Store) throws -> Result) async throws -> Result {
    switch blocking {
    case .ownThreads: try await BlockingWork.run { [store] in try body(store) }
    case .callers: try body(store)
    }
  }
}

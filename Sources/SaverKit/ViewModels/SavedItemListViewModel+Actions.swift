public import FoundationEssentials
public import SaverCore

extension SavedItemListViewModel {
  /// What a person does with the list.
  public enum Action: Sendable {
    case reload
    case loadMore
    /// The items at these indexes of what the list shows now.
    case delete(at: [Int])
    case select(SavedItemSelection)
    /// Words to search for; empty or `nil` shows all.
    case search(String?)
    case undo
    case redo
    case open(SavedItem.ID)
    /// Back to the list.
    case close
    case dismissError
  }

  /// Does it; what takes time goes on after the return, and is shown when it is done.
  ///
  /// - Precondition: indexes are those of ``items``.
  public func send(_ action: Action) {
    switch action {
    case .reload: Task { await reload() }
    case .loadMore: loadMore()
    case .delete(let offsets):
      // Which items these are is decided now, not when the task runs.
      let ids = Self.ids(of: items, at: offsets)
      hide(ids)
      Task { await deleteHidden(ids) }
    case .select(let selection): self.selection = selection
    case .search(let words): selection.search = words?.isEmpty == true ? nil : words
    case .undo: Task { await undo() }
    case .redo: Task { await redo() }
    case .open(let id): route = .detail(id)
    case .close: route = nil
    case .dismissError: actionError = nil
    }
  }

  /// Drops everything that was fetched, and fetches from the store; returns when that is shown. Never needed.
  public func reload() async {
    guard let subscription else { return }
    // Their deletion is in the snapshot that is fetched now: one that is there has been put back.
    let settled = hidden.subtracting(deleting)
    do {
      try await subscription.reload()
      hidden.subtract(settled)
    } catch let error as StorageError {
      state = .failed(error)
    } catch {
      // Cancelled, by the caller or by another selection.
    }
    // Another selection was made meanwhile: its first result is on its way.
    if subscription === self.subscription { drain() }
    if !settled.isEmpty { show() }
  }

  /// Shows one page more, soon. Does nothing if there is none, or if it is on its way.
  public func loadMore() {
    guard hasMore, live.count >= window else { return }
    let count = min(pageCount, (selection.limit ?? .max) - window)
    window += count
    subscription?.loadMore(by: count)
  }

  /// Deletes the items that stand at these indexes of what the person sees, whatever happens to the list meanwhile; an
  /// `IndexSet` will do, or any collection of indexes. They vanish from ``items`` at once, and come back if they cannot
  /// be deleted. One that somebody else has deleted already is no error.
  ///
  /// - Parameter shown: what the front end has drawn, if that is not what ``items`` holds now.
  /// - Precondition: every offset is an index of that list.
  public func delete(at offsets: some Collection<Int>, in shown: RecordList<SavedItem>? = nil) async {
    let ids = Self.ids(of: shown ?? items, at: offsets)
    hide(ids)
    await deleteHidden(ids)
  }

  private func hide(_ ids: [SavedItem.ID]) {
    hidden.formUnion(ids)
    deleting.formUnion(ids)
    show()
  }

  private func deleteHidden(_ ids: [SavedItem.ID]) async {
    let isDone = await perform { try await $0.delete(ids) }
    deleting.subtract(ids)
    if isDone { return await reload() }
    hidden.subtract(ids)
    show()
  }

  /// Takes back the newest act of this user, whatever program did it. ``actionError`` is an ``UndoRefusal`` if others
  /// have built on it.
  public func undo() async {
    await perform { try UndoRefusal.check(await $0.undo()) }
  }

  /// Takes back the newest undo.
  public func redo() async {
    await perform { try UndoRefusal.check(await $0.redo()) }
  }

  /// - Returns: whether it has succeeded.
  @discardableResult
  private func perform<Result>(_ action: (SavedItemRepository) async throws -> Result) async -> Bool {
    do {
      _ = try await action(repository)
      actionError = nil
      return true
    } catch {
      actionError = error
      return false
    }
  }

  /// The model of the item that the route names.
  public func detail(_ route: Route) -> SavedItemDetailViewModel {
    switch route {
    case .detail(let id): SavedItemDetailViewModel(repository, id: id)
    }
  }
}

public import FoundationEssentials
public import Observation
public import SaverCore

/// One saved item for a front end to show and to edit, which stays true: what this process or another does to it appears
/// by itself.
///
/// An edit begins with the item as it is shown. If somebody else changes the item meanwhile, ``isOutdated`` says so at
/// once, and ``save(overwriting:)`` saves nothing and sets ``conflict``; the person decides. Nothing that was typed is
/// lost, not even when the item is deleted.
@Observable @MainActor
public final class SavedItemDetailViewModel {
  public enum State: Sendable {
    case loading
    /// The item as it is in the store.
    case shown(SavedItem)
    /// There is no such item (any more); as it was last seen, if it was. It comes back if its deletion is undone.
    case gone(SavedItem?)
    /// The store cannot be read, or this item cannot.
    case failed(any Error)
  }

  /// What a person does with the item.
  public enum Action: Sendable {
    case reload
    case beginEditing
    case cancelEditing
    case save
    /// Saves over what somebody else has saved meanwhile.
    case overwrite
    case delete
    case dismissError
  }

  public let id: UUID
  public private(set) var state = State.loading
  public private(set) var status = ObservationStatus.live
  /// The item as the person is editing it; `nil` while nobody does.
  public var draft: SavedItem?
  /// Why the last save was refused.
  public private(set) var conflict: EditConflict?
  /// Why the last action has failed otherwise; `nil` again when the next one succeeds.
  public private(set) var actionError: (any Error)?

  /// The item as it was when the edit began.
  private var base: SavedItem?
  @ObservationIgnored private let repository: SavedItemRepository
  @ObservationIgnored private var subscription: LiveListSubscription<SavedItem>?

  public init(_ repository: SavedItemRepository, id: UUID) {
    self.repository = repository
    self.id = id
    subscription = LiveListSubscription(repository.store, Query<SavedItem> { $0.id == id }) { [weak self] in
      Task { @MainActor [weak self] in self?.drain() }
    }
  }

  /// The item as it was last seen.
  public var item: SavedItem? {
    switch state {
    case .shown(let item): item
    case .gone(let item): item
    case .loading, .failed: nil
    }
  }

  /// Whether the item is another than the one that the edit began with.
  public var isOutdated: Bool {
    guard let base else { return false }
    guard case .shown(let item) = state else { return true }
    return item != base
  }

  private func drain() {
    guard let subscription else { return }
    let (update, failure) = subscription.takeNews()
    if let update { state = update.items.first.map { .shown($0) } ?? .gone(item) }
    if let failure { state = .failed(failure) }
    if !status.isSame(as: subscription.status) { status = subscription.status }
    if case .loading = state, case .unavailable(let error) = status { state = .failed(error) }
  }

  // MARK: Actions

  /// Does it; what takes time goes on after the return, and is shown when it is done.
  public func send(_ action: Action) {
    switch action {
    case .reload: Task { await reload() }
    case .beginEditing: beginEditing()
    case .cancelEditing: cancelEditing()
    case .save: Task { await save() }
    case .overwrite: Task { await save(overwriting: true) }
    case .delete: Task { await delete() }
    case .dismissError: actionError = nil
    }
  }

  /// Fetches the item from the store; returns when it is shown. Never needed.
  public func reload() async {
    do {
      try await subscription?.reload()
    } catch let error as StorageError {
      state = .failed(error)
    } catch {
      // Cancelled by the caller.
    }
    drain()
  }

  /// Begins to edit the item as it is shown. Does nothing if none is.
  public func beginEditing() {
    guard case .shown(let item) = state else { return }
    base = item
    draft = item
    conflict = nil
  }

  /// Forgets what was typed.
  public func cancelEditing() {
    base = nil
    draft = nil
    conflict = nil
  }

  /// Saves the draft, and ends the edit; if the item has changed since it began, sets ``conflict`` and saves nothing.
  ///
  /// - Parameter overwriting: saves the draft all the same.
  public func save(overwriting: Bool = false) async {
    guard let base, let draft else { return }
    do {
      let saved = try await repository.save(draft, editedFrom: base, overwriting: overwriting)
      // Typed on while it was being saved: the edit goes on from what is saved.
      if self.draft == draft { cancelEditing() } else { self.base = saved }
      actionError = nil
      await reload()
    } catch let error as EditConflict {
      conflict = error
    } catch {
      actionError = error
    }
  }

  /// Deletes the item; ``state`` then becomes gone.
  public func delete() async {
    do {
      try await repository.delete([id])
      actionError = nil
      await reload()
    } catch {
      actionError = error
    }
  }
}

public import Observation
public import SaverCore

/// A list of saved items for a front end to show, which stays true: what this process or another commits appears by
/// itself.
///
/// The list is a window of one page, and grows by ``loadMore()``; memory does not grow with the store. ``reload()`` drops
/// everything and fetches from the store: pull to refresh, or came to the foreground. It is never needed.
///
/// A front end shows the properties and calls ``send(_:)``, or the functions of the same names. Nothing here blocks the
/// main actor. Nothing keeps the model alive but who holds it; the observation ends with it.
@Observable @MainActor
public final class SavedItemListViewModel {
  /// What the list is about to show, and whether it can be trusted.
  public enum State: Sendable {
    /// The first result, or that of another selection, is on its way; the items are those from before.
    case loading
    case loaded
    /// The store cannot be read, or holds an item that cannot; the items are those from before.
    case failed(any Error)
  }

  /// The first items of the selection, without those that are about to be deleted.
  public internal(set) var items = RecordList<SavedItem>()
  /// The runs of ``items`` with the same key; empty if the model was made without a function for it.
  public internal(set) var sections = SectionedList<String, SavedItem> { _ in "" }
  /// The number of all items of the selection, also of those beyond the window; `nil` until it is known.
  public internal(set) var count: Int?
  /// Whether ``loadMore()`` has something to load.
  public internal(set) var hasMore = false
  public internal(set) var state = State.loading
  /// How well the store is observed: degraded, unavailable.
  public internal(set) var status = ObservationStatus.live
  /// Why the last action has failed; `nil` again when the next one succeeds.
  public internal(set) var actionError: (any Error)?
  /// Where the front end is; `nil` at the list itself.
  public var route: Route?

  /// Which items, and in which order. Takes effect at once.
  public var selection: SavedItemSelection {
    didSet { if selection != oldValue { follow() } }
  }

  @ObservationIgnored let repository: SavedItemRepository
  /// How many items a page has.
  @ObservationIgnored public let pageCount: Int
  @ObservationIgnored let sectionKey: (@Sendable (SavedItem) -> String)?

  /// The result as it was last taken, with what is hidden.
  @ObservationIgnored var live = RecordList<SavedItem>()
  @ObservationIgnored var liveHasMore = false
  /// How many items may be shown.
  @ObservationIgnored var window = 0
  /// What was deleted here, until the list knows.
  @ObservationIgnored var hidden: Set<SavedItem.ID> = []
  /// Those of `hidden` whose deletion has not returned yet.
  @ObservationIgnored var deleting: Set<SavedItem.ID> = []
  @ObservationIgnored var counted: Int?
  @ObservationIgnored var subscription: LiveListSubscription<SavedItem>?
  @ObservationIgnored var countSubscription: LiveCountSubscription<SavedItem>?

  /// - Parameters:
  ///   - pageCount: how many items are shown at first, and how many each ``loadMore()`` adds.
  ///   - sectionKey: what the items of a section have in common: their day, in the time zone of the front end.
  public init(
    _ repository: SavedItemRepository, selection: SavedItemSelection = SavedItemSelection(), pageCount: Int = 100,
    sectionKey: (@Sendable (SavedItem) -> String)? = nil
  ) {
    precondition(pageCount > 0, "a page has an item at least")
    self.repository = repository
    self.selection = selection
    self.pageCount = pageCount
    self.sectionKey = sectionKey
    follow()
  }

  // MARK: Following the store

  /// Begins to follow the selection. What is shown stays until its first result is there.
  private func follow() {
    state = .loading
    counted = nil
    window = min(pageCount, selection.limit ?? .max)
    subscription = LiveListSubscription(repository.store, selection.query(limit: window)) { [weak self] in
      self?.scheduleDrain()
    }
    countSubscription = LiveCountSubscription(repository.store, selection.query) { [weak self] in
      self?.scheduleDrain()
    }
  }

  /// The mailboxes call this once until they are emptied: however many commits there are, one task is on its way.
  private nonisolated func scheduleDrain() {
    Task { @MainActor [weak self] in self?.drain() }
  }

  /// Shows what the mailboxes hold. Called for each of them; whoever observes the model is not troubled by the second
  /// call, which finds nothing.
  func drain() {
    guard let subscription, let countSubscription else { return }
    // It fails as the list does, if at all.
    let count = try? countSubscription.take()
    if let count { counted = count.count }
    let (update, failure) = subscription.takeNews()
    if let update {
      live = update.items
      liveHasMore = update.hasMore
      state = .loaded
    }
    if let failure { state = .failed(failure) }
    if !status.isSame(as: subscription.status) { status = subscription.status }
    if case .loading = state, case .unavailable(let error) = status { state = .failed(error) }
    if count != nil || update != nil { show() }
  }
}

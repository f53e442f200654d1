public import Observation
import SaverCore

/// A list of saved items for a front end to show.
///
/// The model owns what was fetched; ``reload()`` drops it and fetches again from the store. Once stores tell of their
/// changes, the model will follow them by itself, and reloading will never be needed.
@Observable @MainActor
public final class SavedItemListViewModel {
  /// What the list is about to show, and whether it can be trusted.
  public enum State: Sendable {
    /// Nothing was fetched yet.
    case idle
    case loading
    case loaded
    /// The last fetch or deletion failed; the items are those from before.
    case failed(any Error)
  }

  public private(set) var items: [SavedItem] = []
  public private(set) var state = State.idle
  /// Which items, and in which order. Takes effect at the next ``reload()``.
  public var selection: SavedItemSelection

  private let repository: SavedItemRepository
  /// Counted up at each reload: an answer that a later reload has overtaken is dropped.
  private var generation = 0

  public init(_ repository: SavedItemRepository, selection: SavedItemSelection = SavedItemSelection()) {
    self.repository = repository
    self.selection = selection
  }

  /// Drops everything that was fetched, and fetches from the store: pull to refresh, or came to the foreground.
  public func reload() async {
    generation += 1
    let current = generation
    state = .loading
    do {
      let fetched = try await repository.items(matching: selection)
      guard current == generation else { return }
      items = fetched
      state = .loaded
    } catch {
      guard current == generation else { return }
      state = .failed(error)
    }
  }

  /// Deletes what the list shows at these offsets, as it shows it now; any collection of offsets will do, an `IndexSet`
  /// among them. An item that somebody else has deleted meanwhile is no error.
  ///
  /// - Precondition: every offset is one of ``items``.
  public func delete(at offsets: some Collection<Int>) async {
    let ids = offsets.map { items[$0].id }
    do {
      try await repository.delete(ids)
      await reload()
    } catch {
      state = .failed(error)
    }
  }
}

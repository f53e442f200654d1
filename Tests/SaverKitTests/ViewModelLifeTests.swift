import FoundationEssentials
import SaverCore
import SaverKit
import Synchronization
import Testing

/// Nothing keeps a model but who holds it, and nothing is observed when it has gone.
@MainActor
struct ViewModelLifeTests {
  let store: Store
  let repository: SavedItemRepository

  init() async throws {
    store = try memoryStore()
    repository = SavedItemRepository(store)
    _ = try await repository.share([SharedText("one")])
  }

  /// An observer that has no clients begins to listen with the first one.
  private func nothingIsObserved() -> Bool {
    let starts = Starts()
    store.observer.hooks.didStartListening = { starts.count.add(1, ordering: .relaxed) }
    defer { store.observer.hooks.didStartListening = nil }
    let probe = SavedItemDetailViewModel(repository, id: .version7())
    return withExtendedLifetime(probe) { starts.count.load(ordering: .relaxed) == 1 }
  }

  private final class Starts: Sendable {
    let count = Atomic(0)
  }

  /// The model, once it shows something; nothing here keeps it.
  private func listModel() async -> SavedItemListViewModel? {
    let model = SavedItemListViewModel(repository)
    return await reaches { model.items.count == 1 } ? model : nil
  }

  private func detailModel() async throws -> SavedItemDetailViewModel? {
    let model = SavedItemDetailViewModel(repository, id: try await repository.items()[0].id)
    return await reaches { model.item != nil } ? model : nil
  }

  @Test func listModelIsReleased() async throws {
    var model = await listModel()
    weak let released = model
    #expect(released != nil)
    model = nil
    #expect(await becomesTrue { released == nil })
    #expect(nothingIsObserved())
  }

  @Test func detailModelIsReleased() async throws {
    var model = try await detailModel()
    weak let released = model
    #expect(released != nil)
    model?.beginEditing()
    model = nil
    #expect(await becomesTrue { released == nil })
    #expect(nothingIsObserved())
  }

  /// While it is still loading, and with work on its way.
  @Test func modelsThatAreDroppedAtOnce() async throws {
    weak var released: SavedItemListViewModel?
    do {
      let model = SavedItemListViewModel(repository)
      model.send(.reload)
      model.selection.search = "one"
      released = model
    }
    #expect(await becomesTrue { released == nil })
    #expect(nothingIsObserved())
  }

  /// The last release may come from any thread.
  @Test func releasedElsewhere() async throws {
    var model = await listModel()
    weak let released = model
    #expect(released != nil)
    let holder = Guarded(model)
    model = nil
    #expect(released != nil)
    await Task.detached { holder.withLock { $0 = nil } }.value
    #expect(await becomesTrue { released == nil })
    #expect(nothingIsObserved())
  }
}

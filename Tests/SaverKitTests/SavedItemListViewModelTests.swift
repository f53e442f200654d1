import Foundation
import SaverKit
import Testing

@MainActor
struct SavedItemListViewModelTests {
  let clock = TestClock()
  let repository: SavedItemRepository
  let model: SavedItemListViewModel

  init() async throws {
    repository = SavedItemRepository(try memoryStore(), environment: clock.environment)
    for text in ["one", "two", "three"] {
      _ = try await repository.share([SharedText(text)])
      clock.advance(by: 1)
    }
    model = SavedItemListViewModel(repository)
  }

  @Test func showsNothingUntilItIsLoaded() async {
    #expect(model.items.isEmpty)
    await model.reload()
    #expect(model.items.map(\.text) == ["three", "two", "one"])
    guard case .loaded = model.state else {
      Issue.record("not loaded: \(model.state)")
      return
    }
  }

  @Test func reloadDropsWhatWasCached() async throws {
    await model.reload()
    try await repository.delete([model.items[0].id])
    #expect(model.items.count == 3)
    await model.reload()
    #expect(model.items.map(\.text) == ["two", "one"])
  }

  /// What the list shows is deleted, although rows have come and gone in the store meanwhile.
  @Test func deletesWhatIsShown() async throws {
    await model.reload()
    _ = try await repository.share([SharedText("four")])
    try await repository.delete([model.items[0].id])
    await model.delete(at: IndexSet([0, 2]))
    #expect(model.items.map(\.text) == ["four", "two"])
  }

  @Test func selectionTakesEffectAtReload() async {
    model.selection.search = "two"
    await model.reload()
    #expect(model.items.map(\.text) == ["two"])
  }
}

import Foundation
import SaverCore
import SaverKit
import Testing

@MainActor
struct SavedItemListViewModelTests {
  let clock = TestClock()
  let store: Store
  let repository: SavedItemRepository
  let model: SavedItemListViewModel

  init() async throws {
    store = try memoryStore()
    repository = SavedItemRepository(store, environment: clock.environment)
    for text in ["one", "two", "three"] {
      clock.advance(by: 1)
      _ = try await repository.share([SharedText(text)])
    }
    model = SavedItemListViewModel(repository)
  }

  @discardableResult
  private func share(_ text: String, tags: [String] = []) async throws -> SavedItem {
    clock.advance(by: 1)
    return try await repository.share([SharedText(text, tags: tags)])[0].item
  }

  private func shows(_ texts: [String], _ model: SavedItemListViewModel? = nil) async -> Bool {
    let model = model ?? self.model
    if await reaches({ model.items.map(\.text) == texts }) { return true }
    Issue.record("shows \(model.items.map(\.text)), not \(texts)")
    return false
  }

  // MARK: Following

  @Test func loadsByItself() async {
    #expect(model.items.isEmpty)
    guard case .loading = model.state else {
      Issue.record("\(model.state)")
      return
    }
    #expect(await shows(["three", "two", "one"]))
    guard case .loaded = model.state else {
      Issue.record("\(model.state)")
      return
    }
    #expect(model.count == 3)
    #expect(!model.hasMore)
  }

  @Test func followsWhatHappens() async throws {
    #expect(await shows(["three", "two", "one"]))
    let four = try await share("four")
    #expect(await shows(["four", "three", "two", "one"]))
    try await repository.update(four.id) { $0.text = "4" }
    #expect(await shows(["4", "three", "two", "one"]))
    try await repository.delete([four.id])
    #expect(await shows(["three", "two", "one"]))
    #expect(model.count == 3)
  }

  /// Many commits, few drains: what is shown in the end is all of them.
  @Test func mergesBursts() async throws {
    #expect(await shows(["three", "two", "one"]))
    for number in 0..<100 { try await share("\(number)") }
    #expect(await reaches { model.items.first?.text == "99" })
    #expect(model.items.count == 100)
    #expect(await reaches { model.count == 103 })
  }

  @Test func reloadShowsWhatIsThere() async throws {
    await model.reload()
    #expect(model.items.map(\.text) == ["three", "two", "one"])
    try await share("four")
    await model.reload()
    #expect(model.items.map(\.text) == ["four", "three", "two", "one"])
  }

  // MARK: Selections

  @Test func selectionTakesEffectAtOnce() async throws {
    try await share("tagged", tags: ["a"])
    #expect(await shows(["tagged", "three", "two", "one"]))
    model.selection.search = "two"
    #expect(await shows(["two"]))
    model.selection.search = nil
    model.selection.tags = ["a"]
    #expect(await shows(["tagged"]))
    model.selection.tags = []
    model.selection.sort = .init(.createdAt, descending: false)
    #expect(await shows(["one", "two", "three", "tagged"]))
    model.send(.search("THREE"))
    #expect(await shows(["three"]))
    model.send(.search(""))
    #expect(await shows(["one", "two", "three", "tagged"]))
    model.selection.limit = 2
    #expect(await shows(["one", "two"]))
    #expect(!model.hasMore)
    #expect(model.count == 2)
  }

  /// An item enters and leaves a filtered list as its own content changes.
  @Test func itemsComeAndGoWithTheirTags() async throws {
    let item = try await share("four")
    var selection = SavedItemSelection()
    selection.tags = ["a"]
    let tagged = SavedItemListViewModel(repository, selection: selection)
    #expect(await reaches { tagged.count == 0 })
    try await repository.update(item.id) { $0.tags = ["a"] }
    #expect(await shows(["four"], tagged))
    try await repository.update(item.id) { $0.tags = [] }
    #expect(await shows([], tagged))
  }

  // MARK: Windows

  @Test func loadsPageByPage() async throws {
    let model = SavedItemListViewModel(repository, pageCount: 2)
    #expect(await shows(["three", "two"], model))
    #expect(await reaches { model.hasMore && model.count == 3 })
    model.loadMore()
    model.loadMore()
    #expect(await shows(["three", "two", "one"], model))
    #expect(!model.hasMore)
    try await share("four")
    #expect(await shows(["four", "three", "two", "one"], model))
    try await share("five")
    #expect(await shows(["five", "four", "three", "two"], model))
    #expect(await reaches { model.hasMore && model.count == 5 })
  }

  @Test func refillsTheWindow() async throws {
    let model = SavedItemListViewModel(repository, pageCount: 2)
    #expect(await shows(["three", "two"], model))
    try await repository.delete([model.items[0].id])
    #expect(await shows(["two", "one"], model))
  }

  @Test func sectionsFollowTheKeys() async throws {
    let model = SavedItemListViewModel(repository) { String($0.text.prefix(1)) }
    #expect(await shows(["three", "two", "one"], model))
    #expect(model.sections.map(\.key) == ["t", "o"])
    #expect(model.sections.map(\.range) == [0..<2, 2..<3])
    try await share("owl")
    #expect(await reaches { model.sections.map(\.key) == ["o", "t", "o"] })
  }

  // MARK: Deleting

  /// What the list shows is deleted, although rows have come and gone in the store meanwhile.
  @Test func deletesWhatIsShown() async throws {
    #expect(await shows(["three", "two", "one"]))
    let shown = model.items
    try await share("four")
    try await repository.delete([shown[0].id])
    await model.delete(at: IndexSet([0, 2]), in: shown)
    #expect(model.items.map(\.text) == ["four", "two"])
    #expect(model.count == 2)
    #expect(model.actionError == nil)
  }

  /// Row 2 twice, quickly, while somebody else adds at the top: the two rows go that were pointed at.
  @Test func deletesTheSameRowTwice() async throws {
    #expect(await shows(["three", "two", "one"]))
    async let added = share("four")
    model.send(.delete(at: [1]))
    #expect(model.items.map(\.text) == ["three", "one"])
    model.send(.delete(at: [1]))
    #expect(model.items.map(\.text) == ["three"])
    _ = try await added
    #expect(await shows(["four", "three"]))
    #expect(try await holds(["four", "three"], repository))
  }

  /// What cannot be deleted comes back, and why is told.
  @Test func showsWhatCannotBeDeleted() async throws {
    let broken = BrokenStore(try memoryStore())
    let repository = SavedItemRepository(broken.store, environment: clock.environment)
    _ = try await repository.share([SharedText("stays")])
    let model = SavedItemListViewModel(repository)
    #expect(await shows(["stays"], model))
    broken.breakWrites()
    await model.delete(at: [0])
    #expect(model.items.map(\.text) == ["stays"])
    #expect(model.actionError is StorageError)
    broken.mendWrites()
    await model.delete(at: [0])
    #expect(model.items.isEmpty)
    #expect(model.actionError == nil)
  }

  /// A deleted item comes back by an undo, although it was hidden here; what others have built on cannot be undone.
  @Test func undoesAndRedoes() async throws {
    #expect(await shows(["three", "two", "one"]))
    model.send(.delete(at: [1]))
    #expect(model.items.count == 2)
    #expect(await reaches { model.count == 2 })
    await model.reload()
    await model.undo()
    #expect(await shows(["three", "two", "one"]))
    await model.redo()
    #expect(await shows(["three", "one"]))
    await model.undo()
    #expect(await shows(["three", "two", "one"]))
    #expect(model.actionError == nil)
  }

  // MARK: Routes

  @Test func opensAnItem() async throws {
    #expect(await shows(["three", "two", "one"]))
    model.send(.open(model.items[1].id))
    let route = try #require(model.route)
    let kept = try JSONEncoder().encode(route)
    #expect(try JSONDecoder().decode(Route.self, from: kept) == route)
    let detail = model.detail(route)
    #expect(await reaches { detail.item?.text == "two" })
    model.send(.close)
    #expect(model.route == nil)
  }
}

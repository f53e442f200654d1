import FoundationEssentials
import SaverCore
import SaverKit
import Testing

struct LiveRepositoryTests {
  let clock = TestClock()
  let store: Store
  let repository: SavedItemRepository

  init() throws {
    store = try memoryStore()
    repository = SavedItemRepository(store, environment: clock.environment)
  }

  @discardableResult
  private func share(_ text: String) async throws -> SavedItem {
    clock.advance(by: 1)
    return try await repository.share([SharedText(text)])[0].item
  }

  @Test func listsTellWhatChanges() async throws {
    try await share("one")
    var updates = repository.live().makeAsyncIterator()
    let first = try #require(try await updates.next())
    #expect(first.kind == .initial)
    #expect(first.items.map(\.text) == ["one"])

    let two = try await share("two")
    let second = try #require(try await updates.next())
    #expect(second.kind == .change)
    #expect(second.items.map(\.text) == ["two", "one"])
    #expect(second.difference.inserted.map(\.index) == [0])
    #expect(first.items.applying(second.difference) == second.items)

    try await repository.delete([two.id])
    let third = try #require(try await updates.next())
    #expect(third.difference.deleted.map(\.id) == [two.id])
  }

  @Test func windowsAreRefilled() async throws {
    for text in ["one", "two", "three"] { try await share(text) }
    var updates = repository.live(limit: 2).makeAsyncIterator()
    let first = try #require(try await updates.next())
    #expect(first.items.map(\.text) == ["three", "two"])
    #expect(first.hasMore)
    try await repository.delete([first.items[0].id])
    let second = try #require(try await updates.next())
    #expect(second.items.map(\.text) == ["two", "one"])
  }

  @Test func aSelectionsLimitHoldsForItsWindow() async throws {
    for text in ["one", "two", "three"] { try await share(text) }
    var selection = SavedItemSelection()
    selection.limit = 1
    var updates = repository.live(matching: selection, limit: 2).makeAsyncIterator()
    #expect(try await updates.next()?.items.map(\.text) == ["three"])
  }

  /// Days are those of the caller's time zone: here one that is ahead of UTC by nine hours.
  @Test func sectionsByDay() async throws {
    // 14:30 UTC, half an hour before midnight there.
    clock.set(Date(timeIntervalSince1970: 1_767_277_800))
    try await share("evening")
    let days = repository.liveSections { item in
      Int((item.createdAt.timeIntervalSince1970 + 9 * 3600) / 86_400)
    }
    var updates = days.makeAsyncIterator()
    let first = try #require(try await updates.next())
    #expect(first.sections.map { $0.map(\.text) } == [["evening"]])
    clock.advance(by: 3600)
    try await share("after midnight")
    let second = try #require(try await updates.next())
    #expect(second.sections.map { $0.map(\.text) } == [["after midnight"], ["evening"]])
    let keys = second.sections.map(\.key)
    #expect(keys[0] == keys[1] + 1)
    #expect(second.difference.insertedSections.count == 1)
  }

  @Test func countsFollow() async throws {
    var selection = SavedItemSelection()
    selection.search = "swift"
    var counts = repository.liveCount(matching: selection).makeAsyncIterator()
    #expect(try await counts.next()?.count == 0)
    try await share("taylor")
    try await share("Swift")
    #expect(try await counts.next()?.count == 1)
  }

  @Test func endsWhenItsTaskIsCancelled() async throws {
    let repository = repository
    let task = Task {
      for try await update in repository.live() where update.kind == .initial { break }
      var count = 0
      for try await _ in repository.live() { count += 1 }
      return count
    }
    task.cancel()
    _ = try await task.value
  }

  @Test func historyAndTokens() async throws {
    let before = try await repository.token()
    let one = try await share("one")
    try await repository.update(one.id) { $0.text = "1" }
    guard case .changes(let changes, let after) = try await repository.history(after: before) else {
      Issue.record("the token is not good")
      return
    }
    #expect(changes.map(\.kind) == [.insert, .update])
    #expect(changes.map(\.id) == [one.id, one.id])
    #expect(after == (try await repository.token()))
    guard case .changes(let first, let middle) = try await repository.history(after: before, limit: 1),
      case .changes(let rest, through: after) = try await repository.history(after: middle)
    else {
      Issue.record("the history cannot be read in parts")
      return
    }
    #expect(first + rest == changes)
    let other = HistoryToken.beginning(of: .version7())
    guard case .unusable(.otherStore) = try await repository.history(after: other) else {
      Issue.record("another store's token is good")
      return
    }
  }

  /// Each act has its name, and is taken back whole.
  @Test func undoesActs() async throws {
    let one = try await share("one")
    try await repository.update(one.id) { $0.text = "1" }
    _ = try await repository.delete([one.id])
    #expect(try await repository.undoableOperations().map(\.name) == ["delete", "edit", "share"])

    guard case .done = try await repository.undo() else {
      Issue.record("not undone")
      return
    }
    #expect(try await repository.item(one.id)?.text == "1")
    _ = try await repository.undo()
    #expect(try await repository.item(one.id) == one)
    _ = try await repository.undo()
    #expect(try await repository.count() == 0)
    #expect(try await repository.undo() == .nothing)
    #expect(try await repository.redoableOperations(limit: 1).map(\.name) == ["share"])
    _ = try await repository.redo()
    #expect(try await repository.item(one.id) == one)
  }
}

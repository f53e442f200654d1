import FoundationEssentials
import Glibc
import SaverCore
import SaverKit
import Testing

struct SavedItemRepositoryTests {
  let clock = TestClock()
  let repository: SavedItemRepository

  init() throws {
    repository = SavedItemRepository(try memoryStore(), environment: clock.environment)
  }

  @Test func sharesExactly() async throws {
    let text = "  padmé \u{1F469}\u{200D}\u{1F467}\0 https://swift.org \n"
    let shared = try await repository.share([SharedText(text, title: "t", tags: ["b", "a", "b"])])
    let item = try #require(try await repository.item(shared[0].item.id))
    #expect(Array(item.text.utf8) == Array(text.utf8))
    #expect(item.tags == ["b", "a"])
    #expect(item.link == "https://swift.org")
    #expect(item.createdAt == clock.environment.now().wholeMilliseconds)
    #expect(item.updatedAt == item.createdAt)
  }

  @Test(arguments: ["", " ", "\n\t"])
  func refusesEmptyTexts(_ text: String) async throws {
    await #expect(throws: ShareError.emptyText) {
      try await repository.share([SharedText("kept out too"), SharedText(text)])
    }
    #expect(try await repository.count() == 0)
  }

  @Test func bumpsALinkThatIsThere() async throws {
    let first = try await repository.share([SharedText("https://swift.org/", title: "old", tags: ["a", "b"])])[0].item
    clock.advance(by: 10)
    _ = try await repository.share([SharedText("something else")])
    clock.advance(by: 10)
    let outcome = try await repository.share([SharedText("HTTPS://swift.org", tags: ["b", "c"])])[0]
    guard case .bumped(let item) = outcome else {
      Issue.record("not bumped")
      return
    }
    #expect(item.id == first.id)
    #expect(item.text == "https://swift.org/")
    #expect(item.title == "old")
    #expect(item.tags == ["a", "b", "c"])
    #expect(item.createdAt == clock.environment.now().wholeMilliseconds)
    #expect(try await repository.items().map(\.id).first == first.id)
    #expect(try await repository.count() == 2)
  }

  /// The clock went back since the newest item was made: a bumped one goes to the top all the same.
  @Test func bumpsToTheTopWhateverTheClockSays() async throws {
    let first = try await repository.share([SharedText("https://swift.org/")])[0].item
    clock.advance(by: 100)
    let newest = try await repository.share([SharedText("newest")])[0].item
    clock.advance(by: -1000)
    let bumped = try await repository.share([SharedText("https://swift.org/")])[0].item
    #expect(bumped.id == first.id)
    #expect(bumped.createdAt > newest.createdAt)
    #expect(try await repository.items().map(\.id) == [first.id, newest.id])
  }

  @Test func keepsOrRejectsDuplicates() async throws {
    let first = try await repository.share([SharedText("https://swift.org/")])[0].item
    _ = try await repository.share([SharedText("https://swift.org/")], duplicates: .keep)
    #expect(try await repository.count() == 2)
    await #expect(throws: ShareError.self) {
      try await repository.share([SharedText("new"), SharedText("https://swift.org/")], duplicates: .reject)
    }
    #expect(try await repository.count() == 2)
    _ = try await repository.delete([first.id])
    #expect(try await repository.count() == 1)
  }

  /// A program that says so has its own thread do the work.
  @Test func callersCanBlock() async throws {
    let blocking = SavedItemRepository(try memoryStore(), environment: clock.environment, blocking: .callers)
    let caller = pthread_self()
    _ = try await blocking.share([SharedText("one")])
    try await blocking.forEach(matching: SavedItemSelection()) { _ in
      #expect(pthread_equal(pthread_self(), caller) != 0)
      return true
    }
    _ = try await repository.share([SharedText("one")])
    try await repository.forEach(matching: SavedItemSelection()) { _ in
      #expect(pthread_equal(pthread_self(), caller) == 0)
      return true
    }
  }

  /// A text is not a link: the same thought can be had twice.
  @Test func sharesTheSameTextTwice() async throws {
    _ = try await repository.share([SharedText("a thought"), SharedText("a thought")])
    #expect(try await repository.count() == 2)
  }

  @Test func updates() async throws {
    let item = try await repository.share([SharedText("one", tags: ["a"])])[0].item
    clock.advance(by: 5)
    let changed = try await repository.update(item.id) { $0.title = "title" }
    #expect(changed.title == "title")
    #expect(changed.updatedAt == clock.environment.now().wholeMilliseconds)
    #expect(try await repository.item(item.id) == changed)
    clock.advance(by: 5)
    let same = try await repository.update(item.id) { $0.title = "title" }
    #expect(same == changed)
    await #expect(throws: ItemReferenceError.self) { try await repository.update(UUID.version7()) { _ in } }
  }

  /// A link that is found after another item's text was changed to it.
  @Test func duplicateKeysFollowTheText() async throws {
    let item = try await repository.share([SharedText("a thought")])[0].item
    try await repository.update(item.id) { $0.text = "https://swift.org" }
    let outcome = try await repository.share([SharedText("https://swift.org/")])[0]
    #expect(outcome.item.id == item.id)
    try await repository.update(item.id) { $0.text = "another thought" }
    _ = try await repository.share([SharedText("https://swift.org/")])
    #expect(try await repository.count() == 2)
  }

  @Test func selects() async throws {
    _ = try await repository.share([SharedText("École", title: "x", tags: ["school", "fr"])])
    clock.advance(by: 1)
    _ = try await repository.share([SharedText("Straße", tags: ["fr"])])
    clock.advance(by: 1)
    let last = try await repository.share([SharedText("third", title: "strasse")])[0].item

    func texts(_ change: (inout SavedItemSelection) -> Void) async throws -> [String] {
      var selection = SavedItemSelection()
      change(&selection)
      let count = try await repository.count(matching: selection)
      let texts = try await repository.items(matching: selection).map(\.text)
      #expect(count == texts.count)
      return texts
    }
    #expect(try await texts { _ in } == ["third", "Straße", "École"])
    #expect(try await texts { $0.search = "STRASSE" } == ["third", "Straße"])
    #expect(try await texts { $0.search = "ecole school" } == ["École"])
    #expect(try await texts { $0.search = "  " }.count == 3)
    #expect(try await texts { $0.tags = ["fr", "school"] } == ["École"])
    #expect(try await texts { $0.tags = ["FR"] } == [])
    #expect(try await texts { $0.excludedTags = ["school"] } == ["third", "Straße"])
    #expect(try await texts { $0.from = last.createdAt } == ["third"])
    #expect(try await texts { $0.until = last.createdAt } == ["Straße", "École"])
    #expect(try await texts { $0.sort = .init(.text, descending: false) } == ["Straße", "third", "École"])
    #expect(try await texts { $0.limit = 1 } == ["third"])
    #expect(try await texts { $0.after = last } == ["Straße", "École"])
  }

  @Test func deletesASelection() async throws {
    _ = try await repository.share([
      SharedText("one", tags: ["a"]), SharedText("two"), SharedText("three", tags: ["a"]),
    ])
    var selection = SavedItemSelection()
    selection.tags = ["a"]
    #expect(try await Set(repository.delete(matching: selection).map(\.text)) == ["one", "three"])
    #expect(try await repository.items().map(\.text) == ["two"])
  }
}

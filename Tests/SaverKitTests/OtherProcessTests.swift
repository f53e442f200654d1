import Foundation
import SaverCore
import SaverKit
import Testing

/// Models show what another process does, on every engine whose stores can be shared.
@MainActor
struct OtherProcessTests {
  private func shows(_ texts: [String], _ model: SavedItemListViewModel) async -> Bool {
    if await reaches({ model.items.map(\.text) == texts }) { return true }
    Issue.record("shows \(model.items.map(\.text)), not \(texts)")
    return false
  }

  @Test(arguments: SharedStore.names)
  func listFollows(_ backend: String) async throws {
    let shared = try SharedStore(backend)
    let model = SavedItemListViewModel(SavedItemRepository(shared.store))
    #expect(await reaches { model.count == 0 })
    try await shared.saver("share", "one", "--tag", "a")
    #expect(await shows(["one"], model))
    let id = model.items[0].id.hexadecimal
    try await shared.saver("share", "two")
    #expect(await shows(["two", "one"], model))
    try await shared.saver("edit", id, "--text", "1")
    #expect(await shows(["two", "1"], model))
    model.selection.tags = ["a"]
    #expect(await shows(["1"], model))
    try await shared.saver("edit", id, "--untag", "a")
    #expect(await shows([], model))
    model.selection.tags = []
    #expect(await shows(["two", "1"], model))
    try await shared.saver("delete", id)
    #expect(await shows(["two"], model))
    #expect(model.count == 1)
    guard case .live = model.status else {
      Issue.record("\(model.status)")
      return
    }
  }

  @Test(arguments: SharedStore.names)
  func detailFollows(_ backend: String) async throws {
    let shared = try SharedStore(backend)
    let repository = SavedItemRepository(shared.store)
    let item = try await repository.share([SharedText("text")])[0].item
    let model = SavedItemDetailViewModel(repository, id: item.id)
    #expect(await reaches { model.item?.text == "text" })
    model.beginEditing()
    model.draft?.text = "mine"
    try await shared.saver("edit", item.id.hexadecimal, "--text", "theirs")
    #expect(await reaches { model.isOutdated && model.item?.text == "theirs" })
    await model.save()
    #expect(model.conflict?.current.text == "theirs")
    model.cancelEditing()
    try await shared.saver("delete", item.id.hexadecimal)
    #expect(
      await reaches {
        if case .gone = model.state { true } else { false }
      })
    #expect(model.item?.text == "theirs")
  }

  /// Row 2 is deleted twice, quickly, while another process adds at the top: the two rows go that were pointed at.
  @Test(arguments: SharedStore.names)
  func deletesWhatWasPointedAt(_ backend: String) async throws {
    let shared = try SharedStore(backend)
    let repository = SavedItemRepository(shared.store)
    let clock = TestClock(now: Date(timeIntervalSinceNow: -1000))
    let past = SavedItemRepository(shared.store, environment: clock.environment)
    for text in ["five", "four", "three", "two", "one"] {
      clock.advance(by: 1)
      _ = try await past.share([SharedText(text)])
    }
    let model = SavedItemListViewModel(repository)
    #expect(await shows(["one", "two", "three", "four", "five"], model))

    async let added: Void = shared.saver("share", "zero")
    for _ in 0..<2 {
      // What a person sees and points at is one moment, whatever has come meanwhile.
      let shown = model.items
      let row = try #require(shown.map(\.text).firstIndex(of: "one")) + 1
      model.send(.delete(at: [row]))
      await Task.yield()
    }
    try await added
    #expect(await shows(["zero", "one", "four", "five"], model))
    #expect(try await holds(["zero", "one", "four", "five"], repository))
  }

  /// Nobody calls anything: a burst of another process arrives whole.
  @Test(arguments: SharedStore.names)
  func burstsArriveWhole(_ backend: String) async throws {
    let shared = try SharedStore(backend)
    let model = SavedItemListViewModel(SavedItemRepository(shared.store), pageCount: 10)
    #expect(await reaches { model.count == 0 })
    try await withThrowingTaskGroup { group in
      for process in 0..<4 {
        group.addTask { try await shared.saver("share", "\(process) a", "\(process) b", "\(process) c") }
      }
      try await group.waitForAll()
    }
    #expect(await reaches { model.count == 12 })
    #expect(model.items.count == 10)
    #expect(model.hasMore)
    model.loadMore()
    #expect(await reaches { model.items.count == 12 })
    #expect(!model.hasMore)
  }

  #if SQLite
  private nonisolated static let shell = "/usr/bin/sqlite3"

  /// Another program writes into the file, and writes what is no text; the list says so, and goes on when that is mended.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: shell)))
  func followsAnotherProgram() async throws {
    let shared = try SharedStore("sqlite")
    let path = try #require(shared.store.path)
    let model = SavedItemListViewModel(SavedItemRepository(shared.store))
    #expect(await reaches { model.count == 0 })
    try await shared.run(Self.shell, [path, "INSERT INTO item(text) VALUES ('by hand')"])
    #expect(await shows(["by hand"], model))
    try await shared.run(Self.shell, [path, "UPDATE item SET text = CAST(x'ff' AS TEXT)"])
    #expect(
      await reaches {
        if case .failed(let error as StorageError) = model.state { error.code == .damagedRow } else { false }
      })
    #expect(model.items.map(\.text) == ["by hand"])
    try await shared.run(Self.shell, [path, "UPDATE item SET text = 'by hand'"])
    #expect(
      await reaches {
        if case .loaded = model.state { true } else { false }
      })
    #expect(await shows(["by hand"], model))
  }
  #endif
}

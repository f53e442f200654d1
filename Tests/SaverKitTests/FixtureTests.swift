import Foundation
import SaverCore
import SaverKit
import Testing

/// Stores that earlier versions wrote: each is opened, migrated where that loses nothing, or refused and left alone.
@Suite struct FixtureTests {
  private static let readable = FixtureStore.formats.filter { $0 > 0 }

  @Test(arguments: SharedStore.names) func thereIsOneOfEachFormat(backend: String) throws {
    let shared = try SharedStore(backend)
    let current = try shared.store.inspect(checkingIntegrity: false).formatVersion
    #expect(FixtureStore.formats == Array(0...current), "run 'make fixtures' with the program that made the format")
  }

  @Test(arguments: SharedStore.names, readable) func everythingIsThere(backend: String, format: Int) throws {
    let fixture = try FixtureStore(backend, format: format)
    let store = try fixture.open()
    #expect(try store.read { try $0.fetch(Query<SavedItem>()) } == (try fixture.items()))
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test(arguments: SharedStore.names, readable) func theHistoryGoesOn(backend: String, format: Int) async throws {
    let fixture = try FixtureStore(backend, format: format)
    let store = try fixture.open()
    let tokens = try fixture.tokens()
    #expect(try store.read { try $0.token() } == tokens[1])
    #expect(try store.read { try $0.standing(of: tokens[0]) } == .usable)
    guard case .changes(let changes, _) = try store.read({ try $0.history(after: tokens[0]) }) else {
      Issue.record("the token is not usable")
      return
    }
    #expect(changes.map(\.kind) == [.update, .delete, .insert, .delete, .insert])
    #expect(changes.map(\.sequence) == Array(6...10))
    let transactions = try store.read { try $0.transactions() }
    #expect(
      transactions.compactMap(\.operation?.name)
        == ["share", "share", "share", "share", "share", "edit", "delete", "share", "delete", "undo"])
    _ = try await SavedItemRepository(store).share([SharedText("after all this time")])
    #expect(try store.read { try $0.standing(of: tokens[1]) } == .usable)
    #expect(try store.read { try $0.token().sequence } == 11)
    #expect(try store.inspect(checkingIntegrity: true).problems == [])
  }

  @Test(arguments: SharedStore.names, readable) func whatWasDoneThenIsUndoneNow(backend: String, format: Int)
    async throws
  {
    let fixture = try FixtureStore(backend, format: format)
    let store = try fixture.open()
    let repository = SavedItemRepository(store)
    let user = try #require(try store.read { try $0.transactions().first?.user })
    let before = try fixture.items()
    for name in ["share", "delete", "edit"] {
      guard case .done(let operation, _) = try await repository.undo(user: user) else {
        Issue.record("\(name) is not undone")
        return
      }
      #expect(operation.name == name)
    }
    let items = try store.read { try $0.fetch(Query<SavedItem>()) }
    #expect(!items.contains { $0.text == "The last one" })
    #expect(items.first { $0.text == "To be deleted" }?.tags == ["gone"])
    let edited = try #require(items.first { $0.text == "Plain text" })
    #expect(edited.title == "A title" && edited.tags == ["one", "two words"])
    for _ in 0..<3 { _ = try await repository.redo(user: user) }
    let after = try store.read { try $0.fetch(Query<SavedItem>()) }
    #expect(after == before)
  }

  @Test(arguments: SharedStore.names, readable) func aLaterSchemaTakesItOver(backend: String, format: Int) throws {
    let fixture = try FixtureStore(backend, format: format)
    let tokens = try fixture.tokens()
    let items = try fixture.items()
    do {
      let store = try fixture.open([LaterItem.schema.type])
      #expect(try store.read { try $0.fetch(Query<LaterItem>()) } == items.map(LaterItem.init))
      #expect(try store.read { try $0.count(Query<LaterItem> { $0.rating == 3 }) } == items.count)
      #expect(store.identity == tokens[0].store)
      #expect(try store.inspect(checkingIntegrity: true).problems == [])
      // Nothing is pretended about what happened: the rows were written anew.
      guard case .changes(let changes, _) = try store.read({ try $0.history(after: tokens[1]) }) else {
        Issue.record("the token is not usable")
        return
      }
      #expect(changes.map(\.kind) == [.unknown])
      let user = try #require(try store.read { try $0.transactions().first?.user })
      guard case .refused(let operation) = try store.undo(of: [LaterItem.schema.type], user: user) else {
        Issue.record("what was done in another schema is undone")
        return
      }
      #expect(operation.conflicts.contains(.unknownChanges))
    }
    let content = fixture.content
    let error = #expect(throws: StorageError.self) { try fixture.open() }
    #expect(error?.code == .schemaMismatch && error?.message.contains("newer version") == true)
    #expect(fixture.content == content)
  }

  @Test(arguments: SharedStore.names, readable) func anUnfitSchemaIsRefused(backend: String, format: Int) throws {
    let fixture = try FixtureStore(backend, format: format)
    let content = fixture.content
    let error = #expect(throws: StorageError.self) { try fixture.open([LesserItem.schema.type]) }
    #expect(
      error?.code == .schemaMismatch && error?.message.contains("'title'") == true, "\(String(describing: error))")
    #expect(fixture.content == content)
    #expect(try fixture.open().read { try $0.count(Query<SavedItem>()) } == (try fixture.items().count))
  }

  /// Before there was a history: such a store is not guessed at.
  @Test(arguments: SharedStore.names) func formatZeroIsRefused(backend: String) throws {
    let fixture = try FixtureStore(backend, format: 0)
    let (content, names) = (fixture.content, try FileManager.default.contentsOfDirectory(atPath: fixture.folder))
    let error = #expect(throws: StorageError.self) { try fixture.open() }
    #expect(error?.code == .unsupportedFormat && error?.path == fixture.file)
    #expect(error?.message.contains("format 0") == true && error?.message.contains("version that wrote it") == true)
    #expect(fixture.content == content)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: fixture.folder)) == Set(names))
  }

  /// Two processes with two versions of the program at once: the older one is told, and neither sees what is not so.
  @Test(arguments: SharedStore.names, readable) func anotherProcessMigratesIt(backend: String, format: Int) async throws
  {
    let fixture = try FixtureStore(backend, format: format)
    let store = try fixture.open()
    let items = try store.read { try $0.fetch(Query<SavedItem>()) }
    let (name, base) = (backend, fixture.folder + "/items")
    await #expect(processExitsWith: .success) { [name = name as String, base = base as String] in
      let later = try FixtureStore.open(name, base, [LaterItem.schema.type])
      try later.write { transaction in
        for var item in try transaction.fetch(Query<LaterItem>()) {
          item.note = "seen"
          try transaction.update(item)
        }
      }
    }
    for attempt in [
      { _ = try store.read { try $0.fetch(Query<SavedItem>()) } },
      { try store.write { try $0.insert(items[0]) } },
      { try store.write { _ = try $0.delete(SavedItem.self, id: items[0].id) } },
    ] as [() throws -> Void] {
      let error = #expect(throws: StorageError.self) { try attempt() }
      #expect(error?.code == .schemaMismatch && error?.message.contains("version 2") == true)
      #expect(error?.message.contains("newer version") == true)
    }
    let later = try fixture.open([LaterItem.schema.type])
    let found = try later.read { try $0.fetch(Query<LaterItem>()) }
    #expect(found.map(\.note) == items.map { _ in "seen" } && found.map(\.text) == items.map(\.text))
    #expect(try later.inspect(checkingIntegrity: true).problems == [])
  }
}

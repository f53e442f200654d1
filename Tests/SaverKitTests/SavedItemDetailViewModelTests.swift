import FoundationEssentials
import SaverCore
import SaverKit
import Testing

@MainActor
struct SavedItemDetailViewModelTests {
  let clock = TestClock()
  let repository: SavedItemRepository
  let item: SavedItem
  let model: SavedItemDetailViewModel

  init() async throws {
    repository = SavedItemRepository(try memoryStore(), environment: clock.environment)
    item = try await repository.share([SharedText("text", title: "title")])[0].item
    model = SavedItemDetailViewModel(repository, id: item.id)
    clock.advance(by: 1)
  }

  private func shows(_ text: String) async -> Bool {
    await reaches {
      if case .shown(let item) = model.state { item.text == text } else { false }
    }
  }

  private func isGone() async -> Bool {
    await reaches {
      if case .gone = model.state { true } else { false }
    }
  }

  @Test func followsItsItem() async throws {
    #expect(await shows("text"))
    _ = try await repository.share([SharedText("another")])
    try await repository.update(item.id) { $0.text = "changed" }
    #expect(await shows("changed"))
    try await repository.delete([item.id])
    #expect(await isGone())
    // Still to be read.
    #expect(model.item?.text == "changed")
  }

  @Test func isGoneFromTheStart() async throws {
    let model = SavedItemDetailViewModel(repository, id: UUID.version7())
    #expect(
      await reaches {
        if case .gone(nil) = model.state { true } else { false }
      })
  }

  @Test func edits() async throws {
    #expect(await shows("text"))
    model.beginEditing()
    model.draft?.text = "edited"
    #expect(!model.isOutdated)
    await model.save()
    #expect(model.draft == nil)
    #expect(model.conflict == nil)
    #expect(model.item?.text == "edited")
    #expect(try await repository.item(item.id)?.updatedAt == clock.environment.now().wholeMilliseconds)
  }

  @Test func noticesThatSomebodyElseHasChangedIt() async throws {
    #expect(await shows("text"))
    model.beginEditing()
    model.draft?.text = "mine"
    let theirs = try await repository.update(item.id) { $0.title = "theirs" }
    #expect(await reaches { model.isOutdated })
    await model.save()
    #expect(model.conflict?.current == theirs)
    #expect(model.conflict?.edited.text == "mine")
    #expect(model.draft?.text == "mine")
    #expect(try await repository.item(item.id) == theirs)

    await model.save(overwriting: true)
    #expect(model.draft == nil)
    #expect(try await repository.item(item.id)?.text == "mine")
    #expect(try await repository.item(item.id)?.title == "title")
  }

  /// The store decides, not what the model has heard: here it has heard nothing yet.
  @Test func conflictsAreDecidedInTheStore() async throws {
    #expect(await shows("text"))
    model.beginEditing()
    model.draft?.title = "mine"
    try await repository.update(item.id) { $0.text = "theirs" }
    await model.save()
    #expect(model.conflict != nil)
    model.send(.cancelEditing)
    #expect(model.draft == nil)
    #expect(await shows("theirs"))
  }

  @Test func deletedWhileItIsEdited() async throws {
    #expect(await shows("text"))
    model.beginEditing()
    model.draft?.text = "typed for an hour"
    try await repository.delete([item.id])
    #expect(await isGone())
    #expect(model.isOutdated)
    await model.save()
    #expect(model.actionError is ItemReferenceError)
    #expect(model.draft?.text == "typed for an hour")
  }

  /// A change that only Swift's equality does not see.
  @Test func savesAnotherFormOfALetter() async throws {
    #expect(await shows("text"))
    model.beginEditing()
    model.draft?.text = "caf\u{E9}"
    await model.save()
    model.beginEditing()
    model.draft?.text = "cafe\u{301}"
    await model.save()
    let bytes = Array("cafe\u{301}".utf8)
    let stored = try #require(try await repository.item(item.id))
    #expect(Array(stored.text.utf8) == bytes)
    let shown = try #require(model.item)
    #expect(Array(shown.text.utf8) == bytes)
  }

  @Test func deletes() async throws {
    #expect(await shows("text"))
    await model.delete()
    #expect(await isGone())
    #expect(try await repository.count() == 0)
  }
}

import FoundationEssentials
import SaverCore
import SaverKit
import SaverMemory
import Testing

struct ItemReferenceTests {
  @Test(arguments: ["1f3a", "1F3A9C02", "0197f3a2-1c5d-7abc-8def-0123456789ab", "0197f3a2-1c5d"])
  func isPartOfAnID(_ text: String) {
    #expect(ItemReference(text) != nil)
  }

  @Test(arguments: ["", "abc", "xyz12", "0197f3a2-1c5d-7abc-8def-0123456789abc", "-----", "12 34"])
  func isNone(_ text: String) {
    #expect(ItemReference(text) == nil)
  }

  @Test func namesByBeginningEndAndWhole() async throws {
    let repository = try repository(ids: [
      "01970000-0000-7000-8000-00000000aaaa", "01970000-0000-7000-8000-00000000bbbb",
      "01980000-0000-7000-8000-0000aaaabbbb",
    ])
    _ = try await repository.share([SharedText("one"), SharedText("two"), SharedText("three")])

    #expect(try await texts(repository, "0198") == ["three"])
    #expect(try await texts(repository, "0000aaaa") == ["one"])
    #expect(try await texts(repository, "01970000-0000-7000-8000-00000000bbbb") == ["two"])
    await #expect(throws: ItemReferenceError.self) { try await texts(repository, "0197") }
    await #expect(throws: ItemReferenceError.self) { try await texts(repository, "bbbb") }
    await #expect(throws: ItemReferenceError.self) { try await texts(repository, "dead") }
  }

  /// What one reference names wrongly keeps all the others from being deleted.
  @Test func deletesAllOrNothing() async throws {
    let repository = try repository(ids: [
      "01970000-0000-7000-8000-00000000aaaa", "01970000-0000-7000-8000-00000000bbbb",
    ])
    _ = try await repository.share([SharedText("one"), SharedText("two")])
    let references = try ["aaaa", "9999"].map { try #require(ItemReference($0)) }
    await #expect(throws: ItemReferenceError.notFound(references[1])) {
      try await repository.delete(named: references)
    }
    #expect(try await repository.count() == 2)
    #expect(try await repository.delete(named: [references[0], references[0]]).map(\.text) == ["one"])
    #expect(try await repository.count() == 1)
  }

  private func texts(_ repository: SavedItemRepository, _ reference: String) async throws -> [String] {
    try await repository.items(named: [try #require(ItemReference(reference))]).map(\.text)
  }
}

import SaverKit

/// The list that everybody writes first: fetched once, and told of what its own program does. It is never told of what
/// another program does.
@MainActor
final class NaiveList {
  private(set) var items: [SavedItem] = []
  private let repository: SavedItemRepository

  init(_ repository: SavedItemRepository) {
    self.repository = repository
  }

  func load() async throws {
    items = try await repository.items()
  }

  func share(_ text: String) async throws {
    for outcome in try await repository.share([SharedText(text)]) { items.insert(outcome.item, at: 0) }
  }
}

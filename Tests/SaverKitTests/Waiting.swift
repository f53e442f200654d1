import Observation
import SaverCore
import SaverKit
import Testing

/// Waits until a condition on observable models holds: it is looked at again whenever one of them says that it changes.
///
/// - Returns: `false` if it has not within a generous time.
@MainActor
func reaches(_ condition: @escaping @MainActor @Sendable () -> Bool) async -> Bool {
  let waiting = Task { @MainActor in
    for await isTrue in Observations({ condition() }) where isTrue { return true }
    return false
  }
  let limit = Task {
    try await Task.sleep(for: .seconds(30))
    waiting.cancel()
  }
  defer { limit.cancel() }
  return await waiting.value
}

/// Waits until a condition holds that nothing tells of: an object is gone.
@MainActor
func becomesTrue(_ condition: @MainActor () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(30)
  while !condition() {
    if ContinuousClock.now > end { return false }
    await Task.yield()
  }
  return true
}

/// Waits until these are the texts in the store, newest first: what a model shows can be ahead of it.
///
/// - Returns: `false` if they are not within a generous time.
func holds(_ texts: [String], _ repository: SavedItemRepository) async throws -> Bool {
  let waiting = Task {
    for try await update in repository.live() where update.items.map(\.text) == texts { return true }
    return false
  }
  let limit = Task {
    try await Task.sleep(for: .seconds(30))
    waiting.cancel()
  }
  defer { limit.cancel() }
  return try await waiting.value
}

import FoundationEssentials
import SaverCore
import SaverKit
import SaverMemory

/// A clock and a generator of ids that tests turn by hand.
final class TestClock: Sendable {
  private let state: Guarded<(now: Date, ids: [UUID])>

  init(now: Date = Date(timeIntervalSince1970: 1_767_323_045.678), ids: [String] = []) {
    state = Guarded((now, ids.reversed().map { UUID(uuidString: $0)! }))
  }

  func set(_ date: Date) { state.withLock { $0.now = date } }
  func advance(by seconds: Double) { state.withLock { $0.now += seconds } }

  var environment: SavedItemRepository.Environment {
    .init(
      now: { self.state.withLock { $0.now } },
      makeID: { self.state.withLock { $0.ids.popLast() } ?? UUID.version7() })
  }
}

func memoryStore() throws -> Store {
  try MemoryBackend.open(
    StoreLocation(base: ""), types: [SavedItem.schema.type], configuration: MemoryBackend.defaultConfiguration)
}

func repository(ids: [String] = []) throws -> SavedItemRepository {
  SavedItemRepository(try memoryStore(), environment: TestClock(ids: ids).environment)
}

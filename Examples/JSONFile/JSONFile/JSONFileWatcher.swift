import FoundationEssentials
import SaverCore
import Synchronization

/// Looks at the file as everybody does: by its path, so that another file is found at once.
final class JSONFileWatcher: EngineWatcher {
  private let engine: JSONFileEngine

  // MARK: Mutable state
  /// The store that was there the last time.
  private let identity: Mutex<UUID>

  init(_ engine: JSONFileEngine) {
    self.engine = engine
    identity = Mutex(engine.identity)
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    try engine.read(body)
  }

  func lookAfterStore() throws -> StorePlace {
    do {
      let now = try engine.snapshot().document.identity
      return identity.withLock { last in
        defer { last = now }
        return now == last ? .unchanged : .replaced
      }
    } catch let error as StorageError where error.code == .noSuchStore {
      return .missing
    }
  }
}

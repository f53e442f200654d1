import SaverCore

/// Reads as everybody does: there is no file that could be exchanged.
final class MemoryWatcher: EngineWatcher {
  private let engine: MemoryEngine

  init(_ engine: MemoryEngine) {
    self.engine = engine
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    try engine.read(body)
  }

  func lookAfterStore() -> StorePlace { .unchanged }
}

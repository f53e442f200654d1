import FoundationEssentials
import SaverCore
import Synchronization

/// A store whose writes can be made to fail.
struct BrokenStore {
  private final class Engine: SaverCore.Engine {
    let inner: any SaverCore.Engine
    let failsWrites = Atomic(false)

    init(_ inner: any SaverCore.Engine) { self.inner = inner }

    var identity: UUID { inner.identity }
    var path: String? { inner.path }
    var capabilities: StoreCapabilities { inner.capabilities }

    func read(_ body: (any EngineReadTransaction) throws -> Void) throws { try inner.read(body) }

    func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws {
      if failsWrites.load(ordering: .relaxed) { throw StorageError(.full, "The disk is full.") }
      try inner.write(operation, body)
    }

    func makeWatcher() throws -> any EngineWatcher { try inner.makeWatcher() }
    func makeWakeSource() -> any WakeSource { inner.makeWakeSource() }
    func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
      try inner.inspect(checkingIntegrity: checkingIntegrity)
    }

    func backUp(to base: String, overwriting: Bool) throws -> BackupReport {
      try inner.backUp(to: base, overwriting: overwriting)
    }
    func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
      try inner.restore(from: base, overwriting: overwriting, operation)
    }
    func compact() throws -> CompactionReport { try inner.compact() }
    func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
      try inner.forget(type, ids, operation)
    }
  }

  private let engine: Engine
  let store: Store

  init(_ store: Store) {
    engine = Engine(store.engine)
    self.store = Store(engine)
  }

  func breakWrites() { engine.failsWrites.store(true, ordering: .relaxed) }
  func mendWrites() { engine.failsWrites.store(false, ordering: .relaxed) }
}

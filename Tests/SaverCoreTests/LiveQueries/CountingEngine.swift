import Foundation
import SaverMemory

@testable import SaverCore

/// An engine that counts the sources by which observers are awake.
final class CountingEngine: Engine {
  /// How many sources have been started, and not stopped.
  final class Sources: Sendable {
    private let count = Guarded(0)
    var running: Int { count.withLock { $0 } }
    func add(_ number: Int) { count.withLock { $0 += number } }
  }

  private final class Source: WakeSource {
    let base: any WakeSource
    let sources: Sources
    private let isRunning = Guarded(false)

    init(_ base: any WakeSource, _ sources: Sources) {
      self.base = base
      self.sources = sources
    }

    func start(_ turn: @escaping @Sendable (WakeReasons) -> Deadline) {
      isRunning.withLock { $0 = true }
      sources.add(1)
      base.start(turn)
    }

    func stop() {
      let wasRunning = isRunning.withLock { isRunning in
        defer { isRunning = false }
        return isRunning
      }
      if wasRunning { sources.add(-1) }
      base.stop()
    }

    func wake(_ reasons: WakeReasons) { base.wake(reasons) }
    var degradation: String? { base.degradation }
    func renew() { base.renew() }
  }

  private let base: any Engine
  private let sources = Sources()

  init(_ base: any Engine) {
    self.base = base
  }

  static func store(_ samples: [LiveSample]) throws -> (Store, Sources) {
    let engine = CountingEngine(try LiveSample.store(samples).engine)
    return (Store(engine), engine.sources)
  }

  var identity: UUID { base.identity }
  var path: String? { base.path }
  var capabilities: StoreCapabilities { base.capabilities }
  func read(_ body: (any EngineReadTransaction) throws -> Void) throws { try base.read(body) }
  func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws {
    try base.write(operation, body)
  }
  func makeWatcher() throws -> any EngineWatcher { try base.makeWatcher() }
  func makeWakeSource() -> any WakeSource { Source(base.makeWakeSource(), sources) }
  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    try base.inspect(checkingIntegrity: checkingIntegrity)
  }

  func backUp(to base: String, overwriting: Bool) throws -> BackupReport {
    try self.base.backUp(to: base, overwriting: overwriting)
  }
  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
    try self.base.restore(from: base, overwriting: overwriting, operation)
  }
  func compact() throws -> CompactionReport { try base.compact() }
  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
    try base.forget(type, ids, operation)
  }
}

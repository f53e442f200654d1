import SaverCore

/// A sound watcher behind a fault.
final class BrokenWatcher: EngineWatcher {
  private let sound: any EngineWatcher
  private let engine: BrokenEngine

  init(_ sound: any EngineWatcher, _ engine: BrokenEngine) {
    self.sound = sound
    self.engine = engine
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    try sound.read { try body(engine.broken($0)) }
  }

  func lookAfterStore() throws -> StorePlace { try sound.lookAfterStore() }
}

/// A sound source that does not hear of commits.
final class DeafSource: WakeSource {
  private let sound: any WakeSource

  init(_ sound: any WakeSource) {
    self.sound = sound
  }

  func start(_ turn: @escaping @Sendable (WakeReasons) -> Deadline) {
    sound.start { reasons in
      let heard = reasons.intersection(.request)
      return heard.isEmpty ? .distantFuture : turn(heard)
    }
  }

  func wake(_ reasons: WakeReasons) { sound.wake(reasons) }
  func stop() { sound.stop() }
  var degradation: String? { sound.degradation }
  func renew() { sound.renew() }
}

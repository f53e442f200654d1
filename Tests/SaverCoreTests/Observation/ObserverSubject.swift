import Foundation
import SaverCore

/// An observer of a fake store whose turns the test takes, on a clock that the test sets.
struct ObserverSubject {
  let engine = FakeEngine()
  let observer: StoreObserver
  let clock = ManualClock()
  var source: FakeWakeSource { engine.source }

  init() {
    observer = StoreObserver(engine)
    var hooks = StoreObserver.Hooks()
    hooks.clock = { [clock] in clock.now }
    observer.hooks = hooks
  }

  /// A client that has fetched.
  func begun() -> RecordingClient {
    let client = RecordingClient()
    observer.add(client)
    source.take()
    _ = client.take()
    return client
  }

  static let busy = StorageError(.busy, "busy")
  static let inputOutput = StorageError(.inputOutput, "broken")
}

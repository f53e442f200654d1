import Glibc
import SaverCore
import SaverKit

/// Follows a list until somebody ends it, on the thread that it is called on, which sleeps meanwhile.
struct WatchSession {
  let store: Store
  let selection: SavedItemSelection
  let context: CommandContext
  let signals: ProcessSignals

  func run(_ output: inout some WatchOutput) throws {
    context.output.endDescriptor = signals.endDescriptor
    // Updates are taken by this thread: the observer's only wakes it, whatever a reader of the output does.
    let subscription = LiveListSubscription(store, selection.query) { [signals] in signals.wake() }
    defer { subscription.cancel() }
    defer { output.end() }
    var trouble: String?
    /// A row of the list that cannot be read; told once, and over with the next update.
    var damage: String?
    while true {
      switch signals.wait(for: STDOUT_FILENO) {
      case .end, .outputClosed: return
      case .suspend:
        try output.suspend()
        signals.suspend()
        try output.resume()
      case .woken: break
      }
      try output.refresh()
      do {
        while let update = try subscription.take() {
          damage = nil
          try output.publish(update)
        }
      } catch let error as StorageError where error.code == .damagedRow {
        damage = error.description
      }
      let now = damage ?? subscription.status.words
      if now != trouble { try output.show(trouble: now) }
      trouble = now
    }
  }
}

extension ObservationStatus {
  /// What a person should know; `nil` while all is well.
  var words: String? {
    switch self {
    case .live: nil
    case .degraded(let reason): "changes may be shown late: \(reason)"
    case .unavailable(let error): "the store cannot be read at the moment: \(error)"
    }
  }
}

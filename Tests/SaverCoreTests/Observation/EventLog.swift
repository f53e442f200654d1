import SaverCore
import Testing

/// What has happened, for a test that waits for it.
final class EventLog: @unchecked Sendable {
  private let monitor = Monitor()
  private let changed = Monitor.Condition()

  // MARK: Mutable state
  // Guarded by `monitor`.
  private var events: [String] = []

  var all: [String] { monitor.withLock { events } }

  func note(_ event: String) {
    monitor.withLock {
      events.append(event)
      changed.signal()
    }
  }

  /// Waits until what has happened is as wanted.
  @discardableResult
  func wait(
    seconds: Int = 60, sourceLocation: SourceLocation = #_sourceLocation, _ isWanted: ([String]) -> Bool
  ) -> Bool {
    let deadline = Deadline(milliseconds: seconds * 1_000)
    return monitor.withLock {
      while !isWanted(events) {
        if !changed.wait(in: monitor, until: deadline), !isWanted(events) {
          Issue.record("this did not come; what came: \(events.suffix(20))", sourceLocation: sourceLocation)
          return false
        }
      }
      return true
    }
  }
}

import SaverCore

/// What has happened, in order, and a way to wait for more of it.
final class EventLog<Event: Sendable>: @unchecked Sendable {
  private let monitor = Monitor()
  private let changed = Monitor.Condition()

  // MARK: Mutable state
  // Guarded by `monitor`.
  private var log: [Event] = []

  func append(_ event: Event) {
    monitor.withLock {
      log.append(event)
      changed.signal()
    }
  }

  var events: [Event] { monitor.withLock { log } }

  /// Waits until the events so far fulfil the condition.
  ///
  /// One thread may wait at a time.
  /// - Returns: `false` if they did not before the limit, which only machines that stop come to.
  func wait(secondsMax: Int = Threads.secondsMax, until condition: ([Event]) -> Bool) -> Bool {
    wait(millisecondsMax: secondsMax * 1_000, until: condition)
  }

  func wait(millisecondsMax: Int, until condition: ([Event]) -> Bool) -> Bool {
    let deadline = Deadline(milliseconds: millisecondsMax)
    return monitor.withLock {
      while !condition(log) {
        if !changed.wait(in: monitor, until: deadline), deadline.hasPassed { return condition(log) }
      }
      return true
    }
  }
}

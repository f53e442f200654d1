/// Only lets time pass: for systems without file events, and for stores of one process, which say themselves when they
/// have changed. Uses nothing but portable calls.
public final class TimedWakeSource: WakeSource, @unchecked Sendable {
  public let degradation: String?

  private let monitor = Monitor()
  private let changed = Monitor.Condition()

  // MARK: Mutable state
  // Guarded by `monitor`.
  private var reasons: WakeReasons = []
  private var isStopped = false

  /// - Parameter degradation: why nothing better than time is there, for people; `nil` if nothing better is needed.
  public init(degradation: String? = nil) {
    self.degradation = degradation
  }

  public func start(_ turn: @escaping @Sendable (WakeReasons) -> Deadline) {
    // Without a thread there are no turns: whoever waits for one is told by the status.
    _ = DetachedThread.start { [self] in run(turn) }
  }

  public func wake(_ reasons: WakeReasons) {
    monitor.withLock {
      self.reasons.formUnion(reasons)
      changed.signal()
    }
  }

  public func stop() {
    monitor.withLock {
      isStopped = true
      changed.signal()
    }
  }

  public func renew() {}

  private func run(_ turn: @Sendable (WakeReasons) -> Deadline) {
    var deadline = Deadline.distantFuture
    while let reasons = wait(until: deadline) { deadline = turn(reasons) }
  }

  /// The reasons for the next turn; `nil` when there is to be none.
  private func wait(until deadline: Deadline) -> WakeReasons? {
    monitor.withLock {
      while !isStopped && reasons.isEmpty {
        if !changed.wait(in: monitor, until: deadline) && reasons.isEmpty { reasons = .time }
      }
      defer { reasons = [] }
      return isStopped ? nil : reasons
    }
  }
}

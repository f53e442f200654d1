import Synchronization

/// A client of an observer, and how far it has come.
final class ObservedClient: Sendable {
  enum Phase: Sendable {
    /// Has fetched nothing yet.
    case new
    /// Shows the snapshot of the last check.
    case current
    /// Could not follow, and must compare in full; after a reset, says so.
    case behind(ResetReason?)
  }

  let client: any ObserverClient

  // MARK: Mutable state
  /// Set once, by whoever removes the client.
  private let hasLeft = Atomic(false)
  /// Turns alone use it; they are taken one at a time, on a thread that may be another each time.
  private let progress = Guarded((phase: Phase.new, status: ObservationStatus.live))

  init(_ client: any ObserverClient) {
    self.client = client
  }

  /// Asked before each call of the client.
  var isThere: Bool { !hasLeft.load(ordering: .acquiring) }

  func leave() { hasLeft.store(true, ordering: .releasing) }

  var phase: Phase {
    get { progress.withLock { $0.phase } }
    set { progress.withLock { $0.phase = newValue } }
  }

  /// Whether the client has been told of another status last. It counts as told.
  func mustHear(_ status: ObservationStatus) -> Bool {
    progress.withLock { progress in
      defer { progress.status = status }
      return !status.isSame(as: progress.status)
    }
  }
}

import Foundation
import SaverCore

/// Notes what it is told.
final class RecordingClient: ObserverClient {
  private struct State {
    var calls: [String] = []
    var changed: [UUID] = []
    var errors: [StorageError] = []
    var action: (@Sendable (String) -> Void)?
  }
  private let state = Guarded(State())

  /// What it was told since the last time it was asked.
  func take() -> [String] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }
  var calls: [String] { state.withLock { $0.calls } }
  /// The rows of the last change set.
  var changed: [UUID] { state.withLock { $0.changed } }

  /// Fails the next calls that read.
  func fail(_ errors: StorageError...) { state.withLock { $0.errors += errors } }
  /// Runs at each call, with its name.
  func act(_ action: (@Sendable (String) -> Void)?) { state.withLock { $0.action = action } }

  func begin(_ transaction: borrowing ReadTransaction, at token: HistoryToken) throws {
    try note("begin \(token.sequence)", reads: true)
  }
  func maintain(_ report: ChangeReport, _ transaction: borrowing ReadTransaction, at token: HistoryToken) throws {
    let text: String
    switch report {
    case .changes(let set):
      text = "\(set.count) changed"
      state.withLock { $0.changed = set.all.map(\.id) }
    case .unknown: text = "unknown"
    case .reset(let reason): text = "reset \(reason)"
    }
    try note("\(text) \(token.sequence)", reads: true)
  }
  func rehearse(_ newest: ChangeSet, _ transaction: borrowing ReadTransaction) {
    state.withLock { $0.changed = newest.all.map(\.id) }
    try? note("rehearse", reads: false)
  }
  func publish() { try? note("publish", reads: false) }
  func statusChanged(_ status: ObservationStatus) {
    let text =
      switch status {
      case .live: "live"
      case .degraded(let reason): "degraded: \(reason)"
      case .unavailable(let error): "unavailable: \(error.code.rawValue)"
      }
    try? note(text, reads: false)
  }

  private func note(_ call: String, reads: Bool) throws {
    let (action, error) = state.withLock { state -> ((@Sendable (String) -> Void)?, StorageError?) in
      let error = reads && !state.errors.isEmpty ? state.errors.removeFirst() : nil
      state.calls.append(error == nil ? call : call + " fails")
      return (state.action, error)
    }
    action?(call)
    if let error { throw error }
  }
}

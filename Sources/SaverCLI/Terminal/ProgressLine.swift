import SaverCore

/// A line on standard error that says how far something has come, written over itself; nothing where that is no terminal.
final class ProgressLine: Sendable {
  /// As often as an eye follows.
  private static let milliseconds = 100

  private let doing: String

  // MARK: Mutable state
  private let state: Guarded<State>

  private struct State {
    /// Used under the mutex; `nil` if nobody looks.
    var output: OutputWriter?
    var next = Deadline(milliseconds: ProgressLine.milliseconds)
    var width = 0
  }

  /// - Parameter doing: as in "copying".
  init(_ doing: String) {
    self.doing = doing
    // One of its own, which the mutex guards.
    let output = OutputWriter.standardError()
    state = Guarded(State(output: output.isTerminal ? output : nil))
  }

  /// - Throws: ``OutputError``.
  func show(_ done: Int, of total: Int) throws {
    try state.withLock { state in
      guard let output = state.output, state.next.hasPassed else { return }
      state.next = Deadline(milliseconds: Self.milliseconds)
      try Self.draw("\(doing) \(done) of \(total)", output, &state.width)
    }
  }

  /// For work that does not say how far it is.
  func show() throws {
    try state.withLock { state in
      guard let output = state.output else { return }
      try Self.draw("\(doing) …", output, &state.width)
    }
  }

  /// Takes the line away, for whatever comes in its place.
  func clear() throws {
    try state.withLock { state in
      guard let output = state.output, state.width > 0 else { return }
      try Self.draw("", output, &state.width)
    }
  }

  /// Writes over what was there with blanks: not every terminal can erase.
  private static func draw(_ text: String, _ output: OutputWriter, _ width: inout Int) throws {
    let blanks = String(repeating: " ", count: max(0, width - text.utf8.count))
    try output.write("\r" + text + blanks + (text.isEmpty ? "\r" : ""))
    try output.flush()
    width = text.utf8.count
  }
}

import SaverCore

/// A word on a terminal, standard error, about work that takes longer than a moment; gone when the work is done.
///
/// Nothing else writes there until ``end()`` has returned.
final class PatienceNote: @unchecked Sendable {
  private static let delayMilliseconds = 700

  private let line: ProgressLine
  private let monitor = Monitor()
  private let ended = Monitor.Condition()

  // MARK: Mutable state
  // Guarded by `monitor`.
  private var isOver = false

  init(_ doing: String, _ context: CommandContext) {
    line = ProgressLine(doing)
    guard context.diagnostics.isTerminal else { return }
    _ = DetachedThread.start { [self] in waitAndShow() }
  }

  /// A note that cannot be shown, or taken away, is no loss.
  func end() {
    monitor.withLock {
      isOver = true
      try? line.clear()
      ended.signal()
    }
  }

  private func waitAndShow() {
    let deadline = Deadline(milliseconds: Self.delayMilliseconds)
    monitor.withLock {
      while !isOver, ended.wait(in: monitor, until: deadline) {}
      if !isOver { try? line.show() }
    }
  }
}

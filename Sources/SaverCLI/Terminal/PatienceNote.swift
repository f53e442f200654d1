import Glibc
import SaverCore

/// A word on a terminal, standard error, about work that takes longer than a moment; gone when the work is done.
///
/// Nothing else writes there until ``end()`` has returned.
final class PatienceNote: @unchecked Sendable {
  private static let delayMilliseconds = 700

  private let text: String
  private let monitor = Monitor()
  private let ended = Monitor.Condition()

  // MARK: Mutable state
  // Guarded by `monitor`.
  private var isOver = false
  private var isShown = false

  init(_ doing: String, _ context: CommandContext) {
    text = "\(context.tool.name): \(doing) …"
    guard context.diagnostics.isTerminal else { return }
    _ = DetachedThread.start { [self] in waitAndShow() }
  }

  func end() {
    monitor.withLock {
      isOver = true
      if isShown { show("\r\u{1B}[K") }
      ended.signal()
    }
  }

  private func waitAndShow() {
    let deadline = Deadline(milliseconds: Self.delayMilliseconds)
    monitor.withLock {
      while !isOver, ended.wait(in: monitor, until: deadline) {}
      guard !isOver else { return }
      isShown = true
      show(text)
    }
  }

  /// A note that cannot be shown is no loss.
  private func show(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}

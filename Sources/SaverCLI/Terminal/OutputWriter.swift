internal import Glibc

/// Buffered output to a file descriptor.
///
/// What is written stays in the buffer until that is full or `flush()` is called; whoever writes flushes at the end,
/// and at each event of a live output. A partial write goes on, an interrupted one is repeated, a descriptor that does
/// not block is waited for. An error is thrown by the write or flush that meets it and by every later one: nothing is
/// lost without an error.
///
/// The executable ignores SIGPIPE at its start (`OutputWriter.ignoreBrokenPipeSignal()`), so that a closed pipe is an
/// error, `OutputError.closedPipe`, and not the end of the process. Not for use by several threads at once.
package final class OutputWriter {
  private let descriptor: Int32
  private let capacity: Int

  // MARK: Mutable state
  // The class is not `Sendable`: whoever holds the writer guards it.

  private var buffer: [UInt8] = []
  private var failure: OutputError?

  /// A writer to a descriptor that stays open as long as the writer and is not closed by it.
  package init(descriptor: Int32, capacity: Int = 1 << 16) {
    self.descriptor = descriptor
    self.capacity = capacity
  }

  package static func standardOutput() -> OutputWriter { OutputWriter(descriptor: STDOUT_FILENO) }

  package static func standardError() -> OutputWriter { OutputWriter(descriptor: STDERR_FILENO) }

  /// Makes a closed pipe an error instead of the end of the process.
  package static func ignoreBrokenPipeSignal() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Whether the descriptor is a terminal.
  package var isTerminal: Bool { isatty(descriptor) == 1 }

  package func write(_ text: String) throws(OutputError) {
    buffer += text.utf8
    try flushIfFull()
  }

  package func write(_ bytes: some Sequence<UInt8>) throws(OutputError) {
    buffer += bytes
    try flushIfFull()
  }

  package func writeLine(_ text: String) throws(OutputError) {
    buffer += text.utf8
    buffer.append(UInt8(ascii: "\n"))
    try flushIfFull()
  }

  /// Lets the closure append to the buffer, for formats that write bytes.
  package func append(_ body: (inout [UInt8]) -> Void) throws(OutputError) {
    body(&buffer)
    try flushIfFull()
  }

  /// Hands everything to the system.
  package func flush() throws(OutputError) {
    if let failure { throw failure }
    do throws(OutputError) {
      try Self.write(buffer.span.bytes, to: descriptor)
      buffer.removeAll(keepingCapacity: true)
    } catch {
      failure = error
      throw error
    }
  }

  private func flushIfFull() throws(OutputError) {
    if let failure { throw failure }
    if buffer.count >= capacity { try flush() }
  }

  private static func write(_ bytes: RawSpan, to descriptor: Int32) throws(OutputError) {
    var written = 0
    while written < bytes.byteCount {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
      guard count < 0 else {
        written += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      case EPIPE: throw .closedPipe
      case let code: throw .failed(errno: code)
      }
    }
  }
}

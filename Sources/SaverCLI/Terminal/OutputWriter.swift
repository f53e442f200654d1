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

  /// A descriptor that becomes readable when the program is to end: a write that nobody reads then ends too, with
  /// ``OutputError/stopped``.
  package var endDescriptor: Int32?

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
      try write(buffer.span.bytes)
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

  private func write(_ bytes: RawSpan) throws(OutputError) {
    var written = 0
    while written < bytes.byteCount {
      var size = bytes.byteCount - written
      if let endDescriptor {
        try waitForReader(orEndOf: endDescriptor)
        // So much is taken without blocking when a pipe says that it takes anything.
        size = min(size, Int(PIPE_BUF))
      }
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, size) }
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

  private func waitForReader(orEndOf end: Int32) throws(OutputError) {
    var requests = [
      pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&requests, 2, -1) <= 0 {}
    // What can be written is written: the end comes behind it.
    if requests[0].revents == 0 { throw .stopped }
  }
}

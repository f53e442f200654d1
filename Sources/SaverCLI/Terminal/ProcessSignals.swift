internal import Glibc
internal import Synchronization

/// What a command that waits is woken by: signals, other threads, and the end of whoever reads its output.
///
/// INT and TERM ask it to end, even if the process that started it had them ignored (`nohup`, a shell's background job).
/// Handlers write into pipes, and nothing else. One for a process, once.
final class ProcessSignals: Sendable {
  /// Why waiting is over.
  enum Event: Equatable {
    /// INT or TERM.
    case end
    /// The reader of the output has closed it.
    case outputClosed
    /// ``wake()`` was called, or the terminal has another size.
    case woken
    /// The terminal asks the process to stop for a while (Ctrl-Z); only if that was asked for.
    case suspend
  }

  /// Readable from the first INT or TERM on.
  let endDescriptor: Int32
  private let wakeDescriptor: Int32

  /// - Parameter handlesSuspension: whether Ctrl-Z is an event instead of stopping the process at once.
  /// - Throws: ``CommandFailure`` if the system has no descriptors left.
  init(handlesSuspension: Bool) throws {
    endDescriptor = try Self.pipe(writingTo: endWriter)
    wakeDescriptor = try Self.pipe(writingTo: wakeWriter)
    wasSuspended.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] { Self.handle(number) { _ in notify(endWriter) } }
    Self.handle(SIGWINCH) { _ in notify(wakeWriter) }
    if handlesSuspension {
      Self.handle(SIGTSTP) { _ in
        wasSuspended.store(true, ordering: .relaxed)
        notify(wakeWriter)
      }
    }
  }

  /// Whether an INT or TERM has come.
  var hasEnd: Bool {
    var request = pollfd(fd: endDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Ends the next ``wait(for:)``. From any thread, and any number of times.
  func wake() { notify(wakeWriter) }

  /// Waits; costs nothing meanwhile.
  ///
  /// - Parameter output: the descriptor whose end is waited for too.
  func wait(for output: Int32) -> Event {
    var requests = [
      pollfd(fd: endDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
      // Errors and hang-ups are told unasked.
      pollfd(fd: output, events: 0, revents: 0),
    ]
    while true {
      guard poll(&requests, 3, -1) > 0 else { continue }
      if requests[0].revents != 0 { return .end }
      if requests[1].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeDescriptor, &bytes, bytes.count) > 0 {}
        return wasSuspended.exchange(false, ordering: .relaxed) ? .suspend : .woken
      }
      if requests[2].revents != 0 { return .outputClosed }
    }
  }

  /// Stops the process until it is told to go on.
  func suspend() { _ = kill(getpid(), SIGSTOP) }

  /// Makes a pipe, and returns its reading end. Both ends stay open for as long as the process runs.
  private static func pipe(writingTo writer: borrowing Atomic<Int32>) throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else {
      throw CommandFailure("cannot make a pipe: \(String(cString: strerror(errno)))", .inputOutput)
    }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    writer.store(ends[1], ordering: .releasing)
    return ends[0]
  }

  /// Calls of the system go on after a signal (`SA_RESTART`): none of the engine's is cut short.
  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    // A blocked signal is inherited too.
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}

// What the handlers use: set before they are in place, and nothing that has to be initialised or locked.
private let endWriter = Atomic<Int32>(-1)
private let wakeWriter = Atomic<Int32>(-1)
private let wasSuspended = Atomic<Bool>(false)

private func notify(_ writer: borrowing Atomic<Int32>) {
  let code = errno
  var byte: UInt8 = 0
  _ = write(writer.load(ordering: .acquiring), &byte, 1)
  errno = code
}

import FoundationEssentials
public import Glibc
import SaverCore

/// A process that is told what to do line by line, and says line by line what it did.
///
/// What it prints is read at once, whoever waits for it: it never has to wait for its reader. It ends when its input
/// does, so that none is left when the program that started it dies.
public final class ChildProcess: @unchecked Sendable {
  /// Something that it printed.
  public struct Line: Sendable, CustomStringConvertible {
    public var text: String
    /// When it was read: nanoseconds on `CLOCK_MONOTONIC`.
    public var instant: Int64

    public var words: [Substring] { text.split(separator: " ") }
    public var description: String { text }
  }

  public struct Failure: Error, CustomStringConvertible {
    public var description: String

    public init(description: String) {
      self.description = description
    }
  }

  enum Event: Sendable {
    case line(Line)
    case ended(status: Int32)
  }

  public let id: pid_t
  private let program: String
  private let input: Int32
  private let output: Int32
  private let events = EventLog<Event>()

  // MARK: Mutable state
  /// How many events those who waited in turn have taken.
  private let position = Guarded(0)
  private let isInputOpen = Guarded(true)
  /// Held while a process is started: no other may inherit its pipes.
  private static let starting = Monitor()

  /// Starts a program. Its standard error goes with its output.
  ///
  /// - Parameter environment: on top of this program's own.
  public init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    self.program = program
    (id, input, output) = try Self.starting.withLock { try Self.spawn(program, arguments, environment) }
    let noThread = DetachedThread.start { [output, id, events] in Self.pump(output, id, events) }
    guard noThread == 0 else { throw Failure(description: "no thread: errno \(noThread)") }
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> (pid_t, input: Int32, output: Int32) {
    var pipes: [Int32] = [0, 0, 0, 0]
    let hasPipes = pipes.withUnsafeMutableBufferPointer {
      pipe($0.baseAddress!) == 0 && pipe($0.baseAddress! + 2) == 0
    }
    guard hasPipes else { throw Failure(description: "no pipe: errno \(errno)") }
    // A process that inherited the input of another would keep it from ending.
    for file in pipes { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes[0], 0)
    posix_spawn_file_actions_adddup2(&actions, pipes[3], 1)
    posix_spawn_file_actions_adddup2(&actions, pipes[3], 2)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = ProcessInfo.processInfo.environment.merging(environment) { _, given in given }
    var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, &words, &settings)
    close(pipes[0])
    close(pipes[3])
    guard code == 0 else {
      close(pipes[1])
      close(pipes[2])
      throw Failure(description: "cannot start \(program): errno \(code)")
    }
    return (process, pipes[1], pipes[2])
  }

  deinit {
    endInput()
    kill()
  }

  // MARK: Telling

  /// Tells it something.
  public func send(_ line: String) throws {
    let bytes = Array((line + "\n").utf8)
    // A process that died is not this program's end.
    signal(SIGPIPE, SIG_IGN)
    let count = isInputOpen.withLock { $0 ? write(input, bytes, bytes.count) : -1 }
    guard count == bytes.count else { throw failure("it takes no '\(line)'") }
  }

  /// Tells it that nothing more comes: it ends by itself.
  public func endInput() {
    isInputOpen.withLock {
      if $0 { close(input) }
      $0 = false
    }
  }

  public func kill(_ signal: Int32 = SIGKILL) {
    // Its number cannot be another's before it has been waited for, which the reader notes.
    if !hasEnded { _ = Glibc.kill(id, signal) }
  }

  // MARK: Hearing

  /// All lines so far.
  public var lines: [Line] {
    events.events.compactMap { if case .line(let line) = $0 { line } else { nil } }
  }

  /// The lines behind a place, which is moved to their end; waits for one if there is none, until the limit or the end.
  public func lines(from place: inout Int, millisecondsMax: Int = 0) -> [Line] {
    let start = place
    if millisecondsMax > 0 { _ = events.wait(millisecondsMax: millisecondsMax) { $0.count > start } }
    let found = events.events
    place = found.count
    return found[start...].compactMap { if case .line(let line) = $0 { line } else { nil } }
  }

  /// Waits for the next line, behind those that were waited for before, that begins with these words.
  @discardableResult
  public func wait(for words: String, secondsMax: Int = 60) throws -> Line {
    try wait("'\(words)'", secondsMax: secondsMax) { line in
      line.text == words || line.text.hasPrefix(words + " ")
    }
  }

  /// Waits for the next line, behind those that were waited for before, that fulfils a condition.
  ///
  /// - Throws: ``Failure`` with the last lines, at the limit, when the process has ended, and when it complains.
  @discardableResult
  public func wait(_ what: String, secondsMax: Int = 60, where condition: (Line) -> Bool) throws -> Line {
    var found: Line?
    var complaint: String?
    let isDone = events.wait(secondsMax: secondsMax) { events in
      var place = position.withLock { $0 }
      defer { position.withLock { $0 = place } }
      while place < events.count, found == nil, complaint == nil {
        switch events[place] {
        case .line(let line) where condition(line): found = line
        case .line(let line) where ["wrong", "failed"].contains(line.words.first): complaint = line.text
        case .line: break
        case .ended(let status): complaint = "it ended with status \(status)"
        }
        if complaint == nil { place += 1 }
      }
      return found != nil || complaint != nil
    }
    if let found { return found }
    throw failure(isDone ? "\(complaint ?? ""), while waiting for \(what)" : "no \(what) within \(secondsMax) s")
  }

  /// Tells it something and waits for the answer.
  @discardableResult
  public func ask(_ line: String, for answer: String, secondsMax: Int = 60) throws -> Line {
    try send(line)
    return try wait(for: answer, secondsMax: secondsMax)
  }

  /// Waits for its end; the status as `waitpid` gives it.
  @discardableResult
  public func waitForEnd(secondsMax: Int = 60) throws -> Int32 {
    var status: Int32?
    _ = events.wait(secondsMax: secondsMax) { events in
      if case .ended(let found) = events.last { status = found }
      return status != nil
    }
    guard let status else { throw failure("it does not end") }
    return status
  }

  public var hasEnded: Bool {
    if case .ended = events.events.last { true } else { false }
  }

  public var wasKilled: Bool {
    if case .ended(let status) = events.events.last { status & 0x7f == SIGKILL } else { false }
  }

  private func failure(_ message: String) -> Failure {
    let last = lines.suffix(12).map { "  " + $0.text.prefix(400) }.joined(separator: "\n")
    return Failure(description: "process \(id): \(message); its last lines:\n\(last)")
  }

  private static func pump(_ output: Int32, _ process: pid_t, _ events: EventLog<Event>) {
    var rest: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(output, buffer.baseAddress, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      let instant = Monotonic.now
      rest += buffer[..<count]
      var begin = 0
      while let end = rest[begin...].firstIndex(of: UInt8(ascii: "\n")) {
        let text = String(decoding: rest[begin..<end], as: UTF8.self)
        events.append(.line(Line(text: text, instant: instant)))
        begin = end + 1
      }
      rest.removeFirst(begin)
    }
    close(output)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    events.append(.ended(status: status))
  }
}

/// The clock that all processes of a machine share, and nobody can set.
public enum Monotonic {
  /// Nanoseconds on `CLOCK_MONOTONIC`.
  public static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

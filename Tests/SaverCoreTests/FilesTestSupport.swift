import Foundation
import Glibc
import SaverCore
import Synchronization
import Testing

/// A folder that is removed with the value.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/saver-tests-" + UUID().uuidString
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func path(of name: String) -> String { path + "/" + name }
}

/// Something that has happened.
final class Flag: Sendable {
  private let value = Atomic(false)
  func set() { value.store(true, ordering: .sequentiallyConsistent) }
  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
}

/// A number that threads read and write, in single steps that do not order each other.
final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  func set(_ value: Int) { count.store(value, ordering: .relaxed) }
}

/// A thread of its own, outside Swift's pool, which tests of blocking calls must not use up.
final class RunningThread: Sendable {
  private let kernelNumber = Guarded<Int?>(nil)
  private let handle = Guarded<pthread_t?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [self] in
      // A thread's own entry in /proc is a link to PROCESS/task/THREAD.
      let link = try! FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      handle.withLock { $0 = pthread_self() }
      kernelNumber.withLock { $0 = Int(link.split(separator: "/").last!) }
      body()
      isDone.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  func join() {
    isDone.wait()
  }

  /// Sends the thread itself a signal; it must still run.
  func interrupt(with signal: Int32) {
    handle.withLock { _ = pthread_kill($0!, signal) }
  }

  /// Returns once the kernel shows the thread asleep several times running: it is in the wait that the test is about.
  func waitUntilItSleeps() {
    var timesAsleep = 0
    for _ in 0..<20_000 {
      if let number = kernelNumber.withLock({ $0 }),
        let text = try? String(contentsOfFile: "/proc/self/task/\(number)/stat", encoding: .utf8),
        text.split(separator: ")").last?.split(separator: " ").first == "S"
      {
        timesAsleep += 1
        if timesAsleep == 20 { return }
      } else {
        timesAsleep = 0
      }
      usleep(500)
    }
    Issue.record("the thread does not sleep")
  }
}

/// Runs `body` on `count` threads at once and waits for all.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).map { number in RunningThread { body(number) } }
  for thread in threads { thread.join() }
}

/// A shell command whose output is read line by line, killed with the value.
final class ShellChild {
  private let child = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var unread = Data()

  init(_ command: String) throws {
    child.executableURL = URL(fileURLWithPath: "/bin/sh")
    child.arguments = ["-c", command]
    child.standardInput = input
    child.standardOutput = output
    try child.run()
  }

  deinit {
    kill()
  }

  var process: Int32 { child.processIdentifier }

  /// Ends the process as nothing else can, and waits until it is gone.
  func kill() {
    guard child.isRunning else { return }
    Glibc.kill(child.processIdentifier, SIGKILL)
    child.waitUntilExit()
  }

  /// The next line; `nil` at the end of the output.
  func line() -> String? {
    while true {
      if let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = unread[(newline + 1)...] }
        return String(decoding: unread[..<newline], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      unread += data
    }
  }

  func lines(until last: String) -> [String] {
    var lines: [String] = []
    while let line = line(), line != last { lines.append(line) }
    return lines
  }
}

/// A foreign process that has the lock.
final class LockHolder {
  private let shell: ShellChild

  /// Returns when the process has the lock.
  ///
  /// The shell alone keeps the descriptor: `flock` locks the one that it inherits, and ends.
  ///
  /// - Parameter writing: The process number to write into the file; the shell's own if `nil`.
  init(_ path: String, writing number: String? = nil) throws {
    let number = number ?? "$$"
    shell = try ShellChild("exec 9<>'\(path)'; flock 9; echo \"\(number)\" >&9; echo held; read line")
    try #require(shell.line() == "held")
  }

  var process: Int32 { shell.process }

  func kill() { shell.kill() }
}

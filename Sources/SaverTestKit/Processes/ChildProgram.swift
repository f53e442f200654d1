import FoundationEssentials
import Glibc

/// The other side of a ``ChildProcess``: a program that opens a store and does there what it is told, line by line.
///
///     exit(ChildProgram(subjects: [subject], types: …).run(Array(CommandLine.arguments.dropFirst())))
///
/// Its arguments are the name of a subject and the base of the store's path. Lines of its input are commands
/// (`ChildSession`), lines of its output what has come of them; one that begins with `wrong` says that a
/// promise was broken.
public struct ChildProgram {
  let subjects: [ConformanceSubject]
  /// Arms a fault of the system by its name, for the n-th of the calls that follow.
  let arm: (String, Int) -> Void
  /// The number of such calls since then.
  let callCount: () -> Int

  public init(
    subjects: [ConformanceSubject], arm: @escaping (String, Int) -> Void = { _, _ in },
    callCount: @escaping () -> Int = { 0 }
  ) {
    self.subjects = subjects
    self.arm = arm
    self.callCount = callCount
  }

  /// Runs until the input ends; returns the exit code.
  public func run(_ arguments: [String]) -> Int32 {
    guard arguments.count == 2, let subject = subjects.first(where: { $0.name == arguments[0] }) else {
      say("wrong arguments: \(arguments)")
      return 64
    }
    var session = ChildSession(program: self, subject: subject, base: arguments[1])
    say("ready \(getpid())")
    while let line = readLine() {
      do {
        try session.perform(line.split(separator: " ").map(String.init))
      } catch {
        say("wrong \(line): \(error)")
      }
    }
    session.end()
    return 0
  }
}

/// Prints one line, as a whole, at once.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  var begin = 0
  while begin < bytes.count {
    let count = bytes[begin...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    if count < 0 && errno != EINTR { return }
    begin += max(count, 0)
  }
}

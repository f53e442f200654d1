import Foundation
import Glibc
import Testing

/// A process on a terminal of its own, the other end of which the test holds.
final class TerminalProcess {
  let id: pid_t
  private let terminal: Int32
  private(set) var output = ""

  /// `TIOCSPTLCK` and `TIOCGPTN`.
  private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

  init(_ sandbox: CommandSandbox, _ arguments: [String], columns: UInt16, rows: UInt16, term: String = "xterm") throws {
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var (isLocked, number): (Int32, Int32) = (0, 0)
    // `unlockpt` and `ptsname`, which Swift's Glibc module does not know.
    try #require(ioctl(terminal, Self.setLock, &isLocked) == 0 && ioctl(terminal, Self.getNumber, &number) == 0)
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
    var variables = sandbox.environment
    variables["TERM"] = term
    id = try RunningProcess.spawn(Program.path, arguments, variables, folder: sandbox.folder) { actions in
      for descriptor in [0, 1, 2] as [Int32] {
        posix_spawn_file_actions_addopen(actions, descriptor, name, O_RDWR | O_NOCTTY, 0)
      }
    }
  }

  deinit { close(terminal) }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    // Not the process's controlling terminal, which would say so itself.
    kill(id, SIGWINCH)
  }

  /// Forgets what was shown so far.
  func forget() {
    pump()
    output = ""
  }

  /// Reads what has been shown until the text is in it.
  func expect(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    eventually("'\(text)' in \(output.debugDescription)", sourceLocation: sourceLocation) {
      pump()
      return output.contains(text)
    }
  }

  /// Waits for its end; its exit code.
  func end(_ signal: Int32) throws -> Int32 {
    kill(id, signal)
    return try wait()
  }

  /// Waits for its end by itself; its exit code.
  func wait() throws -> Int32 {
    var status: Int32 = 0
    eventually("the end") {
      pump()
      return waitpid(id, &status, WNOHANG) == id
    }
    pump()
    return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
  }

  /// The last picture: what was drawn after the cursor went home.
  var picture: [String] {
    guard let home = output.range(of: "\u{1B}[H", options: .backwards) else { return [] }
    let text = output[home.upperBound...].components(separatedBy: "\u{1B}[J")[0]
    // The terminal makes a carriage return of its own for each line break.
    let lines = text.replacingOccurrences(of: "\u{1B}[K", with: "").components(separatedBy: "\r\r\n")
    return lines.map { line in
      line.replacingOccurrences(of: "\u{1B}\\[[0-9;]*m", with: "", options: .regularExpression)
    }
  }

  private func pump() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(terminal, &buffer, buffer.count), count > 0 {
      output += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }
}

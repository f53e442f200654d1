import Glibc

/// What is piped in.
enum StandardInput {
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// All of it, less one final line break.
  static func text() throws -> String {
    var bytes = try read()
    if bytes.last == UInt8(ascii: "\n") {
      bytes.removeLast()
      if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    }
    return try valid(bytes)
  }

  /// Its lines, without those that are empty.
  static func lines() throws -> [String] {
    try read().split(separator: UInt8(ascii: "\n")).map { line in
      try valid(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
    }
    .filter { !$0.allSatisfy(\.isWhitespace) }
  }

  private static func valid(_ bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure("standard input is not valid UTF-8; nothing was saved", .badData)
    }
    return text
  }

  private static func read() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw CommandFailure("cannot read standard input: " + String(cString: strerror(errno)), .inputOutput)
      }
    }
  }
}

import Glibc

/// A process that this one starts and waits for; it has the same streams.
enum ChildProcess {
  /// How it ended.
  enum Status: Equatable {
    case exited(Int32)
    case killed(signal: Int32)

    var words: String {
      switch self {
      case .exited(let code): "ended with exit code \(code)"
      case .killed(let signal): "was ended by signal \(signal)"
      }
    }
  }

  /// - Throws: ``CommandFailure`` if the program cannot be started.
  static func run(_ path: String, _ arguments: [String]) throws -> Status {
    var strings = ([path] + arguments).map { strdup($0) }
    strings.append(nil)
    defer { for string in strings { free(string) } }
    var process: pid_t = 0
    let failed = posix_spawn(&process, path, nil, nil, strings, environ)
    guard failed == 0 else {
      throw CommandFailure("cannot start \(path): \(String(cString: strerror(failed)))")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else {
        throw CommandFailure("cannot wait for \(path): \(String(cString: strerror(errno)))")
      }
    }
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
  }
}

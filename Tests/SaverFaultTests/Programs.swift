import Foundation
import Glibc
import SaverTestKit

/// The programs that this package builds, and those of the system.
enum Programs {
  static let child = built("saver-fault-child")
  static let saver = built("saver")

  /// They lie beside the program that runs the tests.
  private static func built(_ name: String) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders = [own, Bundle.main.bundlePath, CommandLine.arguments[0]].map {
      URL(fileURLWithPath: $0).deletingLastPathComponent().path
    }
    let candidates = folders.map { "\($0)/\(name)" } + ["\(repository)/.build/debug/\(name)"]
    return candidates.first { access($0, X_OK) == 0 } ?? candidates[0]
  }

  static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// A program of the system by its name; `nil` if there is none.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// The engines that are built in and keep files.
  static let engines: [String] = {
    var names: [String] = []
    #if SQLite
    names.append("sqlite")
    #endif
    #if LMDB
    names.append("lmdb")
    #endif
    return names
  }()

  /// What is the same for all programs that tests start. A crash that is expected is not worth a second of looking for
  /// its cause.
  static let environment = [
    "TZ": "UTC", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent",
    "XDG_DATA_HOME": "/nonexistent", "SWIFT_BACKTRACE": "enable=no",
  ]

  /// Runs a program to its end; what it printed, and how it ended.
  static func run(_ program: String, _ arguments: [String]) throws -> (lines: [String], end: ProcessEnd) {
    let process = try ChildProcess(program, arguments, environment: environment)
    process.endInput()
    let status = try process.waitForEnd(secondsMax: 300)
    return (process.lines.map(\.text), ProcessEnd(status: status))
  }
}

/// How a process ended.
enum ProcessEnd: Equatable {
  case exited(Int32)
  case killed(signal: Int32)

  /// - Parameter status: as `waitpid` gives it.
  init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
  }
}

import CFloor
import Glibc

/// A run of a program.
enum Program {
  /// Seconds from before it was started.
  struct Run {
    var firstOutput: Double
    var end: Double
  }

  /// - Throws: if it cannot be started, or ends with an error.
  static func run(_ arguments: [String], _ environment: [String]) throws -> Run {
    var run = floor_run()
    let result = withStrings(arguments, environment) { floor_run_program($0, $1, &run) }
    try FloorError.check(result != 0 ? result : run.status, "running \(arguments)")
    return Run(firstOutput: Double(run.first_output) / 1e9, end: Double(run.end) / 1e9)
  }

  /// The most memory that a run needs; `nil` if it cannot be told. On a busy machine a run can end unseen: then again.
  static func peakMebibytes(_ arguments: [String], _ environment: [String]) -> Double? {
    for _ in 0..<5 {
      let kibibytes = withStrings(arguments, environment) { floor_peak_memory($0, $1) }
      if kibibytes > 0 { return Double(kibibytes) / 1_024 }
    }
    return nil
  }

  /// Starts one that goes on, with its output in a file.
  static func start(_ arguments: [String], _ environment: [String], output: String) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var process: pid_t = 0
    let result = withStrings(arguments, environment) {
      posix_spawn(&process, arguments[0], &actions, nil, $0, $1)
    }
    try FloorError.check(result, "starting \(arguments)")
    return process
  }

  private typealias Strings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  private static func withStrings<Result>(
    _ arguments: [String], _ environment: [String], _ body: (Strings, Strings) -> Result
  ) -> Result {
    var (first, second) = (copies(arguments), copies(environment))
    defer { for string in first + second { free(string) } }
    return first.withUnsafeMutableBufferPointer { first in
      second.withUnsafeMutableBufferPointer { second in body(first.baseAddress!, second.baseAddress!) }
    }
  }

  private static func copies(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) } + [nil]
  }
}

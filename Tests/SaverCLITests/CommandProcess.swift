import Foundation
import Glibc
import Testing

/// A process that has been started. Its streams are files, so that no pipe can fill and nothing has to be pumped.
struct RunningProcess {
  let id: pid_t
  fileprivate let streams: String

  init(
    _ program: String, _ arguments: [String], _ environment: [String: String], folder: String, input: String,
    streams: String
  ) throws {
    self.streams = streams
    id = try Self.spawn(program, arguments, environment, folder: folder) { actions in
      posix_spawn_file_actions_addopen(actions, 0, input, O_RDONLY, 0)
      posix_spawn_file_actions_addopen(actions, 1, streams + ".out", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      posix_spawn_file_actions_addopen(actions, 2, streams + ".err", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
  }

  /// Starts a program, with the streams that `open` gives it.
  static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String], folder: String,
    _ open: (UnsafeMutablePointer<posix_spawn_file_actions_t>) -> Void
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    open(&actions)
    // `env` changes the folder and becomes the program.
    var argv = (["env", "-C", folder, program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in argv + variables { free(string) } }
    var process: pid_t = 0
    let failed = posix_spawn(&process, "/usr/bin/env", &actions, nil, &argv, &variables)
    try #require(failed == 0, "cannot start \(program): \(String(cString: strerror(failed)))")
    return process
  }

  /// Long enough for the slowest machine; only reached by what hangs.
  static let secondsMax = 300.0

  /// Waits for the end; of what does not end, records an issue, and ends it.
  func wait() throws -> Outcome {
    var status: Int32 = 0
    let limit = Date(timeIntervalSinceNow: Self.secondsMax)
    while true {
      let waited = waitpid(id, &status, WNOHANG)
      try #require(waited >= 0 || errno == EINTR, "cannot wait for a process: \(String(cString: strerror(errno)))")
      if waited == id { break }
      if Date() > limit {
        Issue.record("process \(id) has not ended")
        kill(id, SIGKILL)
      }
      usleep(500)
    }
    let signal = status & 0x7f
    return Outcome(
      output: try Data(contentsOf: URL(fileURLWithPath: streams + ".out")),
      diagnostics: try Data(contentsOf: URL(fileURLWithPath: streams + ".err")),
      exitCode: signal == 0 ? (status >> 8) & 0xff : 128 + signal)
  }
}

extension RunningProcess {
  /// What it has printed so far.
  var output: String { (try? String(contentsOfFile: streams + ".out", encoding: .utf8)) ?? "" }
  var diagnostics: String { (try? String(contentsOfFile: streams + ".err", encoding: .utf8)) ?? "" }

  func signal(_ number: Int32) { kill(id, number) }

  /// Asks it to end, and waits for that.
  func end(_ number: Int32 = SIGTERM) throws -> Outcome {
    signal(number)
    return try wait()
  }
}

/// Looks until something is so; of what never is, records an issue.
@discardableResult
func eventually(
  within seconds: Double = 60, _ what: @autoclosure () -> String = "",
  sourceLocation: SourceLocation = #_sourceLocation,
  _ isSo: () throws -> Bool
) rethrows -> Bool {
  let limit = Date(timeIntervalSinceNow: seconds)
  while Date() < limit {
    if try isSo() { return true }
    usleep(2_000)
  }
  Issue.record("this has not come: \(what())", sourceLocation: sourceLocation)
  return false
}

/// An item as JSON describes it, read by another implementation than the one that wrote it.
struct ListedItem: Equatable {
  var id: String
  var text: String
  var title: String?
  var tags: [String]
  var createdAt: String
  var updatedAt: String

  static let keys: Set<String> = ["id", "text", "title", "tags", "createdAt", "updatedAt"]

  init(_ object: [String: Any]) throws {
    #expect(Set(object.keys) == Self.keys)
    id = try #require(object["id"] as? String)
    text = try #require(object["text"] as? String)
    title = object["title"] as? String
    if title == nil { #expect(object["title"] is NSNull) }
    tags = try #require(object["tags"] as? [String])
    createdAt = try #require(object["createdAt"] as? String)
    updatedAt = try #require(object["updatedAt"] as? String)
  }

  static func array(_ json: Data) throws -> [ListedItem] {
    try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]]).map(ListedItem.init)
  }

  /// The items of JSON that has one on each line.
  static func lines(_ json: Data) throws -> [ListedItem] {
    try json.split(separator: UInt8(ascii: "\n")).map { line in
      try ListedItem(try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]))
    }
  }
}

/// Strings that are equal byte for byte; `==` would take canonical equivalence for equality.
func isSame(_ first: String?, _ second: String?) -> Bool {
  first.map { Array($0.utf8) } == second.map { Array($0.utf8) }
}

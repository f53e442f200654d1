import Foundation
import Glibc
import Testing

/// A process that has been started. Its streams are files, so that no pipe can fill and nothing has to be pumped.
struct RunningProcess {
  let id: pid_t
  private let streams: String

  init(
    _ program: String, _ arguments: [String], _ environment: [String: String], folder: String, input: String,
    streams: String
  ) throws {
    self.streams = streams
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, streams + ".out", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, streams + ".err", O_WRONLY | O_CREAT | O_TRUNC, 0o600)

    // `env` changes the folder and becomes the program.
    var argv = (["env", "-C", folder, program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in argv + variables { free(string) } }
    var process: pid_t = 0
    let failed = posix_spawn(&process, "/usr/bin/env", &actions, nil, &argv, &variables)
    try #require(failed == 0, "cannot start \(program): \(String(cString: strerror(failed)))")
    id = process
  }

  /// Waits for the end.
  func wait() throws -> Outcome {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      try #require(errno == EINTR, "cannot wait for a process: \(String(cString: strerror(errno)))")
    }
    let signal = status & 0x7f
    return Outcome(
      output: try Data(contentsOf: URL(fileURLWithPath: streams + ".out")),
      diagnostics: try Data(contentsOf: URL(fileURLWithPath: streams + ".err")),
      exitCode: signal == 0 ? (status >> 8) & 0xff : 128 + signal)
  }
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

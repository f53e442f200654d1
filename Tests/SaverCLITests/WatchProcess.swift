import Foundation
import Glibc
import Testing

/// A line of `watch --format jsonl`.
struct WatchLine {
  var event: String
  var id: String?
  var item: ListedItem?
  var count: Int?
  var reason: String?
  var token: String?

  init(_ line: Substring) throws {
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "no object: \(line)")
    event = try #require(object["event"] as? String)
    id = object["id"] as? String
    item = try (object["item"] as? [String: Any]).map { try ListedItem($0) }
    count = object["count"] as? Int
    reason = object["reason"] as? String
    token = object["token"] as? String
    let expected: Set<String> =
      switch event {
      case "snapshot": ["event", "count", "token"]
      case "inserted", "updated": ["event", "id", "item", "token"]
      case "deleted": ["event", "id", "token"]
      default: ["event", "reason"]
      }
    #expect(Set(object.keys) == expected, "\(line)")
    if let item { #expect(item.id == id) }
  }

  /// Its kind and the text of its item.
  var words: String { event + (item.map { " " + $0.text } ?? "") }
}

/// A `saver watch --format jsonl` that runs.
struct WatchProcess {
  let process: RunningProcess
  /// Kept: what the process prints lies there.
  private let sandbox: CommandSandbox

  /// Starts it, and waits for its snapshot, or, with `since`, for nothing.
  init(_ sandbox: CommandSandbox, _ options: String..., environment: [String: String?] = [:]) throws {
    self.sandbox = sandbox
    process = try sandbox.start(["watch", "--format", "jsonl"] + options, environment: environment)
    if !options.contains("--since") { eventually("a snapshot") { process.output.contains("\n") } }
  }

  /// The whole lines that it has printed so far.
  var lines: [WatchLine] {
    get throws {
      let output = process.output
      guard let end = output.lastIndex(of: "\n") else { return [] }
      return try output[..<end].split(separator: "\n").map(WatchLine.init)
    }
  }

  /// The lines behind the first ones, as soon as there are so many of them.
  func lines(_ count: Int, behind first: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> [WatchLine]
  {
    try eventually(
      "\(count) events; there are \(process.output) \(process.diagnostics)", sourceLocation: sourceLocation
    ) {
      try lines.count >= first + count
    }
    return Array(try lines.dropFirst(first))
  }

  /// The texts that a reader has who has followed from an empty list: by id.
  static func texts(_ lines: some Sequence<WatchLine>) -> [String: String] {
    var texts: [String: String] = [:]
    for line in lines {
      guard let id = line.id else { continue }
      if let item = line.item {
        #expect((texts[id] == nil) == (line.event == "inserted"), "\(line)")
        texts[id] = item.text
      } else {
        #expect(texts.removeValue(forKey: id) != nil, "\(line)")
      }
    }
    return texts
  }

  /// Ends it; nothing may have been said on standard error.
  @discardableResult
  func end(sourceLocation: SourceLocation = #_sourceLocation) throws -> Outcome {
    let outcome = try process.end()
    #expect(outcome.exitCode == 0 && outcome.stderr == "", "\(outcome.stderr)", sourceLocation: sourceLocation)
    return outcome
  }
}

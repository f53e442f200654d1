import Foundation
import Testing

@Suite struct ChangesTests {
  private struct Change {
    var sequence: Int
    var kind: String
    var id: String?
    var time: String?
    var author: String?
  }

  /// The changes that are printed, and the token.
  private func read(_ outcome: Outcome) throws -> (changes: [Change], token: String?, reset: String?) {
    #expect(outcome.exitCode == 0)
    var changes: [Change] = []
    var (token, reset): (String?, String?) = (nil, nil)
    for line in outcome.lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      if let found = object["token"] as? String {
        #expect(object.count == 1 && token == nil)
        token = found
      } else if let found = object["reset"] as? String {
        #expect(object.count == 1 && changes.isEmpty)
        reset = found
      } else {
        #expect(Set(object.keys) == ["sequence", "kind", "id", "time", "author"] && token == nil)
        changes.append(
          Change(
            sequence: try #require(object["sequence"] as? Int), kind: try #require(object["kind"] as? String),
            id: object["id"] as? String, time: object["time"] as? String, author: object["author"] as? String))
      }
    }
    return (changes, token, reset)
  }

  private func changes(_ sandbox: CommandSandbox, _ options: String...) throws -> Outcome {
    try sandbox.run(["changes", "--format", "jsonl"] + options)
  }

  @Test(arguments: Program.fileEngines) func inOrder(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let (a, b) = (try sandbox.share("a"), try sandbox.share("b"))
    try #require(try sandbox.run("edit", a, "--title", "t").exitCode == 0)
    try #require(try sandbox.run("delete", b, a).exitCode == 0)
    let outcome = try changes(sandbox)
    #expect(outcome.stderr == "")
    let (all, token, _) = try read(outcome)
    #expect(
      all.map { "\($0.kind) \($0.id == a ? "a" : "b")" } == [
        "insert a", "insert b", "update a", "delete b", "delete a",
      ])
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
    #expect(all.allSatisfy { $0.time?.hasSuffix("Z") == true && $0.author?.count == 36 })
    // One command is one process, one transaction.
    #expect(all[3].author == all[4].author && all[2].author != all[3].author && all[3].time == all[4].time)

    // In pieces, from token to token, the same.
    var (pieces, place): ([Change], String?) = ([], nil)
    while true {
      let piece =
        try place.map { try read(try changes(sandbox, "--limit", "2", "--since", $0)) }
        ?? read(try changes(sandbox, "--limit", "2"))
      place = piece.token
      pieces += piece.changes
      if piece.changes.isEmpty { break }
    }
    #expect(pieces.map(\.sequence) == all.map(\.sequence) && place == token)
    #expect(try read(try changes(sandbox, "--limit", "0")).changes.isEmpty)

    let plain = try sandbox.run("changes")
    #expect(plain.lines.count == 6 && plain.lines.last == token)
    #expect(
      plain.lines[2].contains(" update ") && plain.lines[2].contains(a) && plain.lines[2].contains("edit by user"))
  }

  @Test(arguments: Program.fileEngines) func withoutAStore(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let outcome = try changes(sandbox)
    #expect(outcome.exitCode == 0 && outcome.stdout == "" && outcome.stderr == "")
    #expect(sandbox.files.isEmpty)
  }

  /// Case 31: each kind of token that is not good is told apart, and answered with everything.
  @Test(arguments: Program.fileEngines) func tokensThatAreNotGood(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let file = try sandbox.write("{ history: { keepChanges: 5 } }", to: sandbox.root + "/small.json5")
    sandbox.environment["SAVER_CONFIG"] = file
    try sandbox.share("first")
    let old = try #require(try read(try changes(sandbox)).token)
    for number in 0..<140 { try sandbox.share("item \(number)") }
    let token = try #require(try read(try changes(sandbox)).token)
    let parts = token.split(separator: "-").map(String.init)
    let other = try CommandSandbox(engine)
    try other.share("x")
    let bad = [
      ("tooOld", old), ("ahead", "\(parts[0])-999999-\(parts[2])"),
      ("otherBranch", "\(parts[0])-\(parts[1])-0000000000000001"),
      ("otherStore", try #require(try read(try changes(other)).token)),
    ]
    let all = try read(try changes(sandbox)).changes.map(\.sequence)
    for (reason, token) in bad {
      let outcome = try changes(sandbox, "--since", token)
      let answer = try read(outcome)
      #expect(answer.reset == reason && answer.changes.map(\.sequence) == all, "\(reason)")
      #expect(outcome.stderr.hasPrefix("saver: the token ") && outcome.stderr.contains("all that the history has"))

      let watch = try WatchProcess(sandbox, "--since", token, environment: ["SAVER_CONFIG": file])
      let lines = try watch.lines(2, behind: 0)
      #expect(lines[0].event == "reset" && lines[0].reason == reason)
      #expect(lines[1].event == "snapshot" && lines[1].count == 141)
      try watch.end()
    }
    for text in ["", "x", "1-2-3", token + "0", token.uppercased()] {
      #expect(try changes(sandbox, "--since", text).exitCode == 64, "\(text)")
      #expect(try sandbox.run("watch", "--format", "jsonl", "--since", text).exitCode == 64, "\(text)")
    }
  }

  /// What another program writes has no author, and none of our time until one of ours writes again.
  @Test(.enabled(if: Program.hasSQLiteShell)) func foreignChanges() throws {
    let sandbox = try CommandSandbox("sqlite")
    try sandbox.share("ours")
    try sandbox.sqlite("INSERT INTO item(text) VALUES ('theirs')")
    var all = try read(try changes(sandbox)).changes
    #expect(all.map(\.kind) == ["insert", "insert"])
    #expect(all[0].author != nil && all[1].author == nil && all[1].time == nil)
    let token = try #require(try read(try changes(sandbox, "--limit", "2")).token)
    try sandbox.share("ours again")
    all = try read(try changes(sandbox)).changes
    #expect(all.map(\.author?.count) == [36, 7, 36] && all[1].author == "foreign" && all[1].time != nil)
    // The token was taken when nothing covered the change, and holds.
    #expect(try read(try changes(sandbox, "--since", token)).changes.map(\.sequence) == [all[2].sequence])
  }
}

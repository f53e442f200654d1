import Foundation
import Testing

@Suite struct WatchTests {
  /// What one process does is what another one shows, as it happens.
  @Test(arguments: Program.fileEngines) func eventsOfOtherProcesses(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("there before")
    let watch = try WatchProcess(sandbox)
    let first = try watch.lines[0]
    #expect(first.event == "snapshot" && first.count == 1 && first.token != nil)

    let id = try sandbox.share("new", "--tag", "t")
    var events = try watch.lines(1)
    #expect(events[0].words == "inserted new" && events[0].id == id)
    #expect(events[0].item == (try sandbox.items()[0]))
    try #require(try sandbox.run("edit", id, "--text", "edited").exitCode == 0)
    events = try watch.lines(2)
    #expect(events[1].words == "updated edited")
    #expect(events[1].item == (try sandbox.items()[0]))
    try #require(try sandbox.run("delete", id).exitCode == 0)
    events = try watch.lines(3)
    #expect(events[2].event == "deleted" && events[2].id == id)
    try #require(try sandbox.run("undo").exitCode == 0)
    events = try watch.lines(4)
    #expect(events[3].words == "inserted edited" && events[3].id == id)
    let tokens = try watch.lines.compactMap(\.token)
    #expect(Set(tokens).count == 5)
    #expect(tokens.last == (try sandbox.run("changes").lines.last))
    try watch.end()
  }

  /// A store that does not exist is made, and followed from its first item on.
  @Test(arguments: Program.fileEngines) func withoutAStore(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let watch = try WatchProcess(sandbox)
    #expect(try watch.lines[0].count == 0)
    #expect(FileManager.default.fileExists(atPath: sandbox.storeFile(engine)))
    try sandbox.share("first")
    #expect(try watch.lines(1)[0].words == "inserted first")
    try watch.end()
  }

  /// Of what happens at once only the last event has a new token: whoever stops in between loses nothing.
  @Test(arguments: Program.fileEngines) func tokensOfOnePublication(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let ids = try (0..<3).map { try sandbox.share("item \($0)") }
    let watch = try WatchProcess(sandbox)
    let start = try #require(try watch.lines[0].token)
    try #require(try sandbox.run(["delete"] + ids).exitCode == 0)
    let events = try watch.lines(3)
    #expect(events.map(\.event) == ["deleted", "deleted", "deleted"])
    #expect(events[0].token == start && events[1].token == start && events[2].token != start)
    try watch.end()
    for (token, expected) in [(start, Set(ids)), (try #require(events[2].token), [])] {
      let later = try WatchProcess(sandbox, "--since", token)
      let marker = try sandbox.share("marker")
      let lines = try later.lines(expected.count + 1, behind: 0)
      #expect(Set(lines.filter { $0.event == "deleted" }.compactMap(\.id)) == expected)
      #expect(lines.last?.id == marker && lines.count == expected.count + 1)
      try later.end()
      try #require(try sandbox.run("delete", marker).exitCode == 0)
    }
  }

  @Test(arguments: Program.fileEngines) func theItemsOfASnapshot(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for text in ["a", "b", "c"] { try sandbox.share(text) }
    let watch = try WatchProcess(sandbox, "--items")
    let lines = try watch.lines(3)
    #expect(lines.map(\.words) == ["inserted c", "inserted b", "inserted a"])
    #expect(lines.compactMap(\.item) == (try sandbox.items()))
    #expect(Set(try watch.lines.map(\.token)).count == 1)
    try watch.end()
    let sorted = try WatchProcess(sandbox, "--items", "--sort", "text", "--limit", "2")
    #expect(try sorted.lines(2).map(\.words) == ["inserted a", "inserted b"])
    // What is pushed out of the limit has left the list.
    try sandbox.share("aa")
    #expect(try sorted.lines(4)[2...].map(\.words) == ["deleted", "inserted aa"])
    try sorted.end()
  }

  /// An item comes and goes with what the filter says of it.
  @Test(arguments: Program.fileEngines) func filters(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("École", "--tag", "x")
    try sandbox.share("no", "--tag", "x")
    let watch = try WatchProcess(sandbox, "--tag", "x", "--search", "ecole")
    #expect(try watch.lines[0].count == 1)
    let start = try #require(try watch.lines[0].token)
    try sandbox.share("not tagged école")
    try #require(try sandbox.run("edit", id, "--untag", "x").exitCode == 0)
    try #require(try sandbox.run("edit", id, "--tag", "x").exitCode == 0)
    let other = try sandbox.share("une ECOLE", "--tag", "x")
    let events = try watch.lines(3)
    #expect(events.map(\.event) == ["deleted", "inserted", "inserted"])
    #expect(events.map(\.id) == [id, id, other])
    try watch.end()

    // The same from the history: net, since the token, in the list that the filter makes.
    let later = try WatchProcess(sandbox, "--tag", "x", "--search", "ecole", "--since", start)
    #expect(try later.lines(2, behind: 0).map { "\($0.event) \($0.id == id)" } == ["updated true", "inserted false"])
    try later.end()
    try #require(try sandbox.run("edit", id, "--untag", "x").exitCode == 0)
    let last = try WatchProcess(sandbox, "--tag", "x", "--search", "ecole", "--since", start)
    #expect(try last.lines(2, behind: 0).map { "\($0.event) \($0.id == id)" } == ["deleted true", "inserted false"])
    try last.end()
  }

  /// What was missed, instead of a snapshot: nothing twice, nothing left out.
  @Test(arguments: Program.fileEngines) func since(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let (kept, gone) = (try sandbox.share("kept"), try sandbox.share("gone"))
    let token = try #require(try sandbox.run("changes").lines.last)
    let passing = try sandbox.share("passing")
    try #require(try sandbox.run("edit", kept, "--title", "t").exitCode == 0)
    try #require(try sandbox.run("delete", gone, passing).exitCode == 0)
    let new = try sandbox.share("new")
    let watch = try WatchProcess(sandbox, "--since", token)
    let lines = try watch.lines(3, behind: 0)
    #expect(lines.map { [$0.event, $0.id] } == [["updated", kept], ["deleted", gone], ["inserted", new]])
    #expect(lines.map { $0.token == token } == [true, true, false])
    #expect(lines[2].token == (try sandbox.run("changes").lines.last))
    // From there on it is live.
    try sandbox.share("live")
    #expect(try watch.lines(1, behind: 3)[0].words == "inserted live")
    try watch.end()
  }

  @Test(arguments: Program.fileEngines) func plain(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("a\tb\nc")
    let watch = try sandbox.start(["watch", "--items"])
    eventually { watch.output.contains("inserted") }
    try #require(try sandbox.run("edit", id, "--text", "new").exitCode == 0)
    eventually { watch.output.contains("updated") }
    try #require(try sandbox.run("delete", id).exitCode == 0)
    eventually { watch.output.contains("deleted") }
    let outcome = try watch.end()
    #expect(outcome.exitCode == 0 && outcome.stderr == "")
    #expect(outcome.lines[0].hasPrefix("snapshot 1 "))
    #expect(
      Array(outcome.lines.dropFirst()) == ["inserted \(id) a\\tb\\nc", "updated \(id) new", "deleted \(id)"])
  }

  /// Case 7: two rows of a live list are deleted by their ids while another process adds at the top; exactly those go.
  @Test(arguments: Program.fileEngines) func theRowsThatWerePointedAt(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for number in 1...4 { try sandbox.share("item \(number)") }
    let watch = try WatchProcess(sandbox, "--items")
    let rows = try watch.lines(4).compactMap(\.id)
    let adding = try sandbox.start(
      ["-c", "for i in $(seq 20); do \"$saver\" share \"new $i\" >/dev/null; done"], program: "/bin/sh",
      environment: ["SAVER_TEST_IDS": nil, "SAVER_TEST_NOW": nil])
    for row in rows[1...2] { try #require(try sandbox.run("delete", row).exitCode == 0) }
    #expect(try adding.wait().exitCode == 0)
    try eventually { try watch.lines.filter { $0.event == "deleted" }.count == 2 && watch.lines.last?.event != nil }
    #expect(try watch.lines.filter { $0.event == "deleted" }.compactMap(\.id) == Array(rows[1...2]))
    #expect(Set(try sandbox.texts()) == Set(["item 1", "item 4"] + (1...20).map { "new \($0)" }))
    try watch.end()
  }

  @Test func usage() throws {
    let sandbox = try CommandSandbox("sqlite")
    let token = "\(String(repeating: "0", count: 32))-0-\(String(repeating: "0", count: 16))"
    for arguments in [
      ["--format", "table"], ["--format", "csv"], ["--limit", "-1"], ["--since", token, "--limit", "3"], ["abcd"],
      ["--sort", "tags"],
    ] {
      let outcome = try sandbox.run(["watch"] + arguments)
      #expect(outcome.exitCode == 64 && outcome.stdout == "", "\(arguments)")
    }
    #expect(sandbox.files.isEmpty)
  }
}

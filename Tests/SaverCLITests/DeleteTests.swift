import Foundation
import Testing

@Suite struct DeleteTests {
  /// Case 1: what was named is deleted, and named in the output, whatever other processes did to the list.
  @Test(arguments: Program.fileEngines) func exactlyWhatWasNamed(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let ids = try (1...5).map { try sandbox.share("item \($0)") }
    let first = try sandbox.run("delete", ids[3])
    #expect(first.exitCode == 0 && first.stderr == "")
    #expect(first.stdout.hasPrefix("deleted  \(ids[3].suffix(8))  ") && first.stdout.contains("item 4"))
    let second = try sandbox.run("delete", ids[0], String(ids[2].suffix(8)), ids[0], "--format", "jsonl")
    #expect(try ListedItem.lines(second.output).map(\.text) == ["item 1", "item 3"])
    #expect(try sandbox.texts() == ["item 5", "item 2"])
  }

  /// Case 3: one id that names nothing, or several items, and nothing is deleted.
  @Test(arguments: Program.fileEngines) func allOrNothing(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let ids = [try sandbox.share("a"), try sandbox.share("b")]
    for arguments in [["99999"], [ids[0], "99999"], ["99999", ids[0]], [String(ids[0].prefix(4))]] {
      let outcome = try sandbox.run(["delete"] + arguments)
      #expect(outcome.exitCode == 1 && outcome.stdout == "", "\(arguments)")
    }
    #expect(try sandbox.run("delete", String(ids[0].prefix(4))).stderr.contains("ambiguous"))
    #expect(try sandbox.items().count == 2)
  }

  /// Case 4: never everything by chance.
  @Test(arguments: Program.fileEngines) func withoutAnythingNamed(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("a")
    for arguments in [
      [], [""], ["--yes"], ["--search", ""], ["--search", " ", "--yes"], ["--tag", ""], ["abcd", "--tag", "x"], ["abc"],
    ] {
      let outcome = try sandbox.run(["delete"] + arguments)
      #expect(outcome.exitCode == 64 && outcome.stdout == "" && outcome.stderr.contains("help delete"), "\(arguments)")
    }
    #expect(try sandbox.shell("\"$saver\" delete $EMPTY").exitCode == 64)
    #expect(try sandbox.shell("\"$saver\" delete \"$EMPTY\"").exitCode == 64)
    #expect(try sandbox.items().count == 1)
  }

  /// Case 5: ids need no question; a selection needs one, or `--yes`.
  @Test(arguments: Program.fileEngines) func selections(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for (text, tag) in [("a", "x"), ("b", "x"), ("c", "y"), ("d", "z"), ("e", "z")] {
      try sandbox.share(text, "--tag", tag)
    }
    let refused = try sandbox.run("delete", "--tag", "x")
    #expect(refused.exitCode == 64 && refused.stdout == "" && refused.stderr.contains("--yes"))
    #expect(try sandbox.items().count == 5)
    let deleted = try sandbox.run("delete", "--tag", "x", "--yes")
    #expect(deleted.exitCode == 0 && deleted.lines.count == 2 && deleted.lines.allSatisfy { $0.hasPrefix("deleted  ") })
    #expect(try sandbox.texts() == ["e", "d", "c"])
    let none = try sandbox.run("delete", "--tag", "none", "-y", "--format", "json")
    #expect(none.exitCode == 0 && none.stdout == "[]\n")
    let rest = try sandbox.run("delete", "-y", "--not-tag", "y", "--search", "E", "--format=tsv")
    #expect(rest.lines.count == 1)
    #expect(try sandbox.texts() == ["d", "c"])
  }

  /// Case 2: the ids of the others do not change, and none comes again.
  @Test(arguments: Program.fileEngines) func idsSurvive(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let ids = try (1...4).map { try sandbox.share("item \($0)") }
    try #require(try sandbox.run("delete", ids[3], ids[1]).exitCode == 0)
    let new = try sandbox.share("new")
    #expect(!ids.contains(new))
    #expect(try sandbox.items().map(\.id) == [new, ids[2], ids[0]])
    #expect(try sandbox.run("show", ids[3]).exitCode == 1)
  }

  /// Case 8: two processes share a hundred times each at once.
  @Test(arguments: Program.fileEngines) func twoProcessesAtOnce(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let script = """
      for i in $(seq 100); do "$saver" share "$NAME $i" || exit 1; done
      """
    let processes = try ["a", "b"].map { name in
      // Ids from the clock and chance, as people have them.
      try sandbox.start(
        ["-c", script], program: "/bin/sh", environment: ["NAME": name, "SAVER_TEST_IDS": nil, "SAVER_TEST_NOW": nil])
    }
    let outcomes = try processes.map { try $0.wait() }
    #expect(outcomes.allSatisfy { $0.exitCode == 0 && $0.stderr == "" })
    let printed = outcomes.flatMap(\.lines)
    #expect(Set(printed).count == 200)
    #expect(Set(try sandbox.items().map(\.id)) == Set(printed))
  }
}

import Foundation
import Testing

@Suite struct ListTests {
  @Test(arguments: Program.engines) func withoutAStoreNothingIsPrintedOrMade(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let expected = ["table": "", "plain": "", "tsv": "", "json": "[]\n", "jsonl": ""]
    for (format, output) in expected {
      for options in [[], ["--all"], ["--search", "x"], ["--tag", "t"]] {
        let outcome = try sandbox.run(["list", "--format", format] + options)
        #expect(outcome.stdout == output && outcome.stderr == "" && outcome.exitCode == 0)
      }
    }
    #expect(try sandbox.run("list", "--format=csv").lines.count == 1)
    #expect(try sandbox.run("list", "--count").stdout == "0\n")
    #expect(try sandbox.run("list", "--after", "abcd").exitCode == 1)
    #expect(sandbox.files.isEmpty)
  }

  @Test(arguments: Program.fileEngines) func newestFirstAndLimited(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let input = Data((1...55).map { "item \($0)\n" }.joined().utf8)
    let oldest = try sandbox.run(["share", "--lines"], stdin: input).lines
    let others = try (56...60).map { try sandbox.share("item \($0)") }
    func listed(_ options: String...) throws -> [String] {
      try sandbox.run(["list", "--format=tsv", "--fields", "id"] + options).lines
    }
    let newest = try listed("--all")
    #expect(Array(newest.prefix(5)) == others.reversed() && Set(newest.dropFirst(5)) == Set(oldest))
    #expect(try listed() == Array(newest.prefix(50)))
    #expect(try listed("--limit", "3") == Array(newest.prefix(3)))
    #expect(try listed("--limit", "0") == [])
    #expect(try listed("-n", "1000") == newest)
    #expect(try sandbox.run("list", "--count").stdout == "60\n")
    #expect(try sandbox.run("list", "--count", "--limit", "7").stdout == "7\n")
    #expect(try sandbox.run("list", "--count", "--search", "item 6").stdout == "7\n")
  }

  @Test(arguments: Program.fileEngines) func tagsAndDates(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for (text, tags, date) in [
      ("a", ["x"], "2025-01-01T00:00:00Z"), ("b", ["x", "y"], "2025-01-02T00:00:00Z"), ("c", ["Y"], "2025-01-03"),
      ("d", [], "2025-01-03T23:59:59.999Z"), ("e", ["x,y"], "1969-12-31T23:59:59.999Z"),
    ] {
      #expect(
        try sandbox.run(["share", text, "--created", date] + tags.flatMap { ["--tag", $0] }).exitCode == 0)
    }
    #expect(try sandbox.texts("--tag", "x") == ["b", "a"])
    #expect(try sandbox.texts("--tag", "x", "--tag", "y") == ["b"])
    #expect(try sandbox.texts("--not-tag", "x") == ["d", "c", "e"])
    #expect(try sandbox.texts("--not-tag", "x", "--not-tag", "Y") == ["d", "e"])
    #expect(try sandbox.texts("--tag", "x", "--not-tag", "y") == ["a"])
    #expect(try sandbox.texts("--from", "2025-01-02") == ["d", "c", "b"])
    #expect(try sandbox.texts("--until", "2025-01-03") == ["b", "a", "e"])
    #expect(try sandbox.texts("--from", "2025-01-02", "--until", "2025-01-03T00:00:00.001Z") == ["c", "b"])
    #expect(try sandbox.texts("--until", "1970-01-01T00:00:00Z") == ["e"])
    #expect(try sandbox.texts("--from", "36500d").count == 5)
    #expect(try sandbox.texts("--from", "1h").isEmpty)
    #expect(try sandbox.run("list", "--from", "soon").exitCode == 64)
  }

  @Test(arguments: Program.fileEngines) func sorting(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let c = try sandbox.share("c", "--title", "1")
    let a = try sandbox.share("a")
    let b = try sandbox.share("b", "--title", "0")
    try #require(try sandbox.run("edit", c, "--tag", "t").exitCode == 0)
    let orders = [
      "text": [a, b, c], "text:desc": [c, b, a], "createdAt": [b, a, c], "createdAt:asc": [c, a, b],
      "updatedAt": [c, b, a], "updatedAt:asc": [a, b, c], "id": [c, a, b], "id:desc": [b, a, c],
    ]
    for (sort, ids) in orders { #expect(try sandbox.items("--sort", sort).map(\.id) == ids, "\(sort)") }
    let titles = try sandbox.items("--sort", "title").map(\.id)
    #expect(titles.firstIndex(of: b)! < titles.firstIndex(of: c)!)
    #expect(try sandbox.items("--sort", "title:desc").map(\.id) == titles.reversed())
    for sort in ["tags", "text:up", "text:", "", "created_at"] {
      #expect(try sandbox.run("list", "--sort", sort).exitCode == 64, "\(sort)")
    }
  }

  /// Pages of every size walk all items exactly once, whatever the order.
  @Test(arguments: Program.fileEngines) func pages(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for text in ["a", "b", "a", "c"] {
      // Equal times and equal texts: only the id tells the order.
      try #require(
        try sandbox.run(
          ["share", "--lines", "--title", text], stdin: Data((1...3).map { "\(text)\($0 % 2)\n" }.joined().utf8)
        ).exitCode == 0)
    }
    for sort in ["createdAt", "createdAt:asc", "text", "text:desc", "title", "title:desc", "id", "updatedAt"] {
      let all = try sandbox.items("--sort", sort).map(\.id)
      #expect(Set(all).count == 12)
      for size in sort == "createdAt" ? [1, 5] : [5] {
        var walked: [String] = []
        while true {
          let after = walked.last.map { ["--after", $0] } ?? []
          let page = try sandbox.run(
            ["list", "--sort", sort, "--limit", "\(size)", "--format", "plain", "--fields", "id"] + after
          ).lines
          if page.isEmpty { break }
          walked += page
          try #require(walked.count <= all.count)
        }
        #expect(walked == all, "\(sort) in pages of \(size)")
      }
    }
    #expect(try sandbox.run("list", "--after", "ffffffff").exitCode == 1)
  }

  @Test(arguments: Program.fileEngines) func shortIDsTellTheListedItemsApart(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let ids = [
      try sandbox.share("one", environment: ["SAVER_TEST_NOW": "2026-01-01T00:00:00Z", "SAVER_TEST_IDS": "7"]),
      // The same number, another time: the same end, another beginning.
      try sandbox.share("two", environment: ["SAVER_TEST_NOW": "2026-01-02T00:00:00Z", "SAVER_TEST_IDS": "7"]),
    ]
    #expect(ids[0].suffix(12) == ids[1].suffix(12))
    let shorts = try sandbox.run("list").lines.map { String($0.prefix { $0 != " " }) }
    #expect(shorts.count == 2 && shorts[0] != shorts[1] && shorts[0].count > 12)
    for (short, id) in zip(shorts, ids.reversed()) {
      #expect(try sandbox.run("show", short, "--format", "jsonl").stdout.contains(id))
    }
    let ambiguous = try sandbox.run("show", String(ids[0].suffix(8)))
    #expect(ambiguous.exitCode == 1 && ids.allSatisfy { ambiguous.stderr.contains($0) })
    #expect(try sandbox.run("list", "--limit", "1").stdout.hasPrefix(ids[1].suffix(8) + "  "))
  }

  /// Case 20.
  @Test(arguments: Program.fileEngines) func localDates(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    func shared(_ date: String, _ zone: String) throws -> String? {
      let outcome = try sandbox.run(
        ["share", "--format", "json", "--created", date, "x"], environment: ["TZ": zone])
      return try ListedItem.lines(outcome.output).first?.createdAt
    }
    #expect(try shared("2026-07-01 12:00", "America/Los_Angeles") == "2026-07-01T19:00:00.000Z")
    #expect(try shared("2026-01-01", "Asia/Kolkata") == "2025-12-31T18:30:00.000Z")
    // Half past two does not exist on this day.
    #expect(try shared("2026-03-08 02:30", "America/Los_Angeles")?.hasPrefix("2026-03-08T") == true)
    #expect(try shared("today", "Asia/Kolkata")?.hasSuffix("T18:30:00.000Z") == true)
    let list = try sandbox.run(["list", "--search", "x"], environment: ["TZ": "Asia/Kolkata"]).stdout
    #expect(list.contains("2026-07-02 00:30") || list.contains("2026-07-02T00:30"))
    #expect(
      try sandbox.run(["show", sandbox.items()[0].id], environment: ["TZ": "Asia/Kolkata"]).stdout.contains("+05:30"))
    #expect(try sandbox.items().allSatisfy { $0.createdAt.hasSuffix("Z") })
  }
}

import Foundation
import Testing

/// The same commands print the same bytes, whatever the engine.
@Suite struct ParityTests {
  /// What a script of commands prints, and the exit codes.
  private func transcript(_ engine: String) throws -> [String] {
    let sandbox = try CommandSandbox(engine)
    var transcript: [String] = []
    var ids: [String] = []
    func run(_ arguments: [String], stdin: String? = nil) throws -> Outcome {
      let outcome = try sandbox.run(arguments, stdin: stdin.map { Data($0.utf8) })
      let command = arguments.joined(separator: " ")
      transcript.append("$ \(command)\n\(outcome.stdout)\(outcome.stderr)(\(outcome.exitCode))")
      return outcome
    }
    for (number, text) in ListFormatsTests.hostile.enumerated() where !text.contains("\0") {
      let created = number % 3 == 0 ? ["--created", "2025-0\(number % 9 + 1)-01"] : []
      ids += try run(["share", "--tag", "t\(number % 4)", "--title", text] + created + ["--", text]).lines
    }
    ids += try run(["share", "--lines"], stdin: "a\0b\nhttps://example.org/a\nHTTPS://EXAMPLE.org/a/?utm_x=1\nÉcole\n")
      .lines
    _ = try run(["share", "https://example.org/a", "--tag", "again"])
    _ = try run(["share", "--duplicates", "reject", "https://example.org/a"])
    for format in ["table", "plain", "tsv", "csv", "json", "jsonl"] {
      _ = try run(["list", "--all", "--format", format])
    }
    for sort in ["text", "title:desc", "id", "updatedAt:asc"] {
      _ = try run(["list", "--sort", sort, "--format", "tsv"])
    }
    for words in ["ecole", "\\", "%", "日本", "line break", "\u{301}", "e\u{301}", "q,", "\u{200B}", "zerowidth"] {
      _ = try run(["list", "--search", words, "--format", "tsv"])
    }
    _ = try run(["list", "--tag", "t1", "--not-tag", "t2", "--from", "2025-03-01", "--until", "2026-06-01"])
    for id in [ids[2], ids[9], ids[11]] { _ = try run(["list", "--after", id, "--limit", "4", "--format", "plain"]) }
    for id in ids.prefix(6) { _ = try run(["show", id]) }
    _ = try run(["edit", ids[3], "--text", "https://example.org/new", "--untag", "t3", "--tag", "new"])
    _ = try run(["edit", ids[4], "--title", ""])
    _ = try run(["share", "https://EXAMPLE.org:443/new"])
    _ = try run(["delete", ids[0], "ffff0000"])
    _ = try run(["delete", ids[5], String(ids[6].suffix(8))])
    _ = try run(["delete", "--yes", "--tag", "t2", "--format", "json"])
    _ = try run(["list", "--count"])
    _ = try run(["list", "--all", "--format", "json", "--sort", "title"])
    try maintain(sandbox, ids, engine, &transcript)
    return transcript
  }

  /// What cares for a store differs in the names of files and in sizes, and in nothing else.
  private func maintain(
    _ sandbox: CommandSandbox, _ ids: [String], _ engine: String, _ transcript: inout [String]
  ) throws {
    func run(_ arguments: String...) throws {
      let outcome = try sandbox.run(arguments)
      let text = "$ \(arguments.joined(separator: " "))\n\(outcome.stdout)\(outcome.stderr)(\(outcome.exitCode))"
        .replacing(sandbox.root, with: "ROOT").replacing(".\(engine)", with: ".ENGINE")
      transcript.append(
        text.replacing(/\d+ bytes|"(size|bytes\w+)":\d+/, with: "SIZE").replacing(/of \d+-\d+-\d+ \S+/, with: "of TIME")
      )
    }
    try run("backup", "copy")
    try run("backup", "copy")
    try run("backup", "copy", "--force", "--format", "json")
    try run("forget", ids[8], ids[9])
    try run("forget", ids[8], "--format", "json")
    try run("forget", ids[10], "ffff0000")
    try run("restore", "copy")
    try run("restore", "nothing", "--force")
    try run("restore", "copy", "--force")
    try run("list", "--all", "--format", "json")
    try run("undo")
    try run("compact")
    try run("compact", "--format", "json")
    try run("list", "--search", "ecole", "--format", "tsv")
  }

  @Test func everyEngineAnswersAlike() throws {
    let engines = Program.fileEngines
    let reference = try transcript(try #require(engines.first))
    #expect(reference.count > 60 && reference.contains { $0.contains("(1)") })
    // Once more on the first: nothing in an answer is left to chance.
    for engine in [engines[0]] + engines.dropFirst() {
      for (own, expected) in zip(try transcript(engine), reference) where own != expected {
        Issue.record("\(engine): \(own)\n\(engines[0]): \(expected)")
      }
    }
  }
}

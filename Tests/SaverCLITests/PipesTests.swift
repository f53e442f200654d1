import Foundation
import Testing

@Suite struct PipesTests {
  /// Case 35.
  @Test(arguments: Program.fileEngines) func aReaderThatStopsReading(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let input = Data((0..<10_000).map { "item number \($0) with a text of some length\n" }.joined().utf8)
    #expect(try sandbox.run(["share", "--lines"], stdin: input).lines.count == 10_000)
    for format in ["table", "plain", "tsv", "csv", "json", "jsonl"] {
      let outcome = try sandbox.shell(
        "{ \"$saver\" list --all --format \(format); echo $? >status; } | head -1; cat status")
      #expect(outcome.stderr == "" && outcome.lines.count == 2 && outcome.lines.last == "0", "\(format)")
    }
    #expect(try sandbox.run("list", "--count").stdout == "10000\n")
  }

  /// Case 36.
  @Test(arguments: Program.fileEngines) func outputThatCannotBeWritten(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("x")
    for command in ["list", "list --format csv", "show \(id)", "config", "help", "--version", "share y", "doctor"] {
      let outcome = try sandbox.shell("\"$saver\" \(command) >/dev/full")
      #expect(outcome.exitCode == 74, "\(command): \(outcome.exitCode)")
      #expect(outcome.stderr == "saver: cannot write the output: No space left on device\n", "\(command)")
    }
    #expect(try sandbox.shell("\"$saver\" list >&-").exitCode == 74)
    #expect(try sandbox.shell("\"$saver\" lst 2>/dev/full").exitCode == 64)
  }

  /// Case 37.
  @Test(arguments: Program.fileEngines) func colour(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    let id = try sandbox.share("x", "--tag", "t")
    func isColoured(_ arguments: [String], _ environment: [String: String?] = [:]) throws -> Bool {
      try sandbox.run(arguments, environment: environment).output.contains(0x1B)
    }
    for arguments in [["list"], ["show", id], ["config"]] {
      #expect(try !isColoured(arguments))
      #expect(try isColoured(arguments + ["--color", "always"]))
      #expect(try isColoured(["--color=always"] + arguments, ["NO_COLOR": "1", "TERM": "dumb"]))
      #expect(try !isColoured(arguments + ["--color", "never"]))
    }
    for format in ["plain", "tsv", "csv", "json", "jsonl"] {
      #expect(try !isColoured(["list", "--color", "always", "--format", format]), "\(format)")
    }
  }

  /// On a terminal, which `script` provides.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")), arguments: Program.fileEngines)
  func colourOnATerminal(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x", "--tag", "t")
    func isColoured(_ environment: [String: String?]) throws -> Bool {
      let outcome = try sandbox.shell("script -qec '\"$saver\" list' /dev/null </dev/null", environment: environment)
      #expect(outcome.stdout.contains("#t"), "\(outcome.stdout)\(outcome.stderr)")
      return outcome.output.contains(0x1B)
    }
    #expect(try isColoured(["TERM": "xterm"]))
    #expect(try !isColoured(["TERM": "xterm", "NO_COLOR": "1"]))
    #expect(try isColoured(["TERM": "xterm", "NO_COLOR": ""]))
    #expect(try !isColoured(["TERM": "dumb"]))
  }

  /// A question on a terminal; only a yes deletes.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")), arguments: Program.fileEngines)
  func theQuestionBeforeASelectionIsDeleted(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    try sandbox.share("x", "--tag", "t")
    func answer(_ text: String) throws -> Outcome {
      try sandbox.shell("printf '\(text)' | script -qec '\"$saver\" delete --tag t' /dev/null")
    }
    let no = try answer("n\\n")
    #expect(no.exitCode == 1 && no.stdout.contains("Delete 1 item? [y/N]") && no.stdout.contains("nothing was deleted"))
    #expect(try answer("\\n").exitCode == 1)
    #expect(try sandbox.items().count == 1)
    #expect(try answer("y\\n").exitCode == 0)
    #expect(try sandbox.items().isEmpty)
  }

  /// Case 42.
  @Test(arguments: Program.fileEngines) func theLocaleDoesNotMatter(engine: String) throws {
    let sandbox = try CommandSandbox(engine)
    for locale: String? in ["C", "POSIX", "de_DE.ISO-8859-1", nil] {
      let environment = ["LC_ALL": locale]
      let text = "— 家族 \(locale ?? "none")"
      #expect(try sandbox.run(["share", text], environment: environment).exitCode == 0)
      let list = try sandbox.run(["list", "--search", "家族", "--limit", "1"], environment: environment)
      #expect(list.stdout.contains(text), "\(list.stdout)")
    }
  }
}

import SaverCLI
import Testing

@Suite struct ArgumentsParsingTests {
  /// The values of a command line that is expected to run a command.
  private func values(_ arguments: String...) throws -> ParsedArguments {
    guard case .run(_, let values) = try ExampleTool.tool.parse(arguments) else {
      throw UsageError("not a command: \(arguments)")
    }
    return values
  }

  private func message(_ arguments: String...) -> String? {
    do throws(UsageError) {
      _ = try ExampleTool.tool.parse(arguments)
      return nil
    } catch {
      return error.message
    }
  }

  typealias List = ExampleTool.List

  @Test func everySpellingOfAnOptionWithAValue() throws {
    for spelling in [["--limit", "5"], ["--limit=5"], ["-n", "5"], ["-n5"], ["-n=5"], ["-avn5"], ["-av", "-n", "5"]] {
      guard case .run(let command, let values) = try ExampleTool.tool.parse(["list"] + spelling) else {
        Issue.record("\(spelling) runs no command")
        continue
      }
      #expect(command.name == "list")
      #expect(values[List.limit] == 5, "\(spelling)")
    }
  }

  @Test func flagsAndGroups() throws {
    let grouped = try values("list", "-va")
    #expect(grouped[List.showsAll] && grouped[List.isVerbose])
    let none = try values("list")
    #expect(!none[List.showsAll] && none[List.limit] == nil && none[List.tags] == [] && none[List.words] == [])
    #expect(try values("list", "-vt", "x")[List.tags] == ["x"])
  }

  @Test func repeatedOptionsKeepAllOthersTheLast() throws {
    let values = try values("list", "--tag", "a", "-tb", "--tag=c=d", "--limit", "1", "--limit", "2")
    #expect(values[List.tags] == ["a", "b", "c=d"])
    #expect(values[List.limit] == 2)
  }

  @Test func valuesThatBeginWithADash() throws {
    #expect(try values("list", "--title", "-5")[List.title] == "-5")
    #expect(try values("list", "--title", "-.5")[List.title] == "-.5")
    #expect(try values("list", "--title", "-")[List.title] == "-")
    #expect(try values("list", "--title", "- a sentence")[List.title] == "- a sentence")
    #expect(try values("list", "--title=--all")[List.title] == "--all")
    #expect(try values("list", "--title=")[List.title] == "")
    #expect(message("list", "--limit", "-1") == "invalid value '-1' for '--limit': expected a number not below 0")
    #expect(
      message("list", "--title", "--all")
        == "missing value for '--title' before '--all'; a value that begins with a dash is written --title=VALUE")
    #expect(message("list", "--title", "--") == "missing value for '--title' before '--'")
    #expect(message("list", "--title") == "missing value for '--title'")
    #expect(message("list", "-t") == "missing value for '--tag'")
  }

  @Test func twoDashesEndTheOptions() throws {
    let values = try values("list", "a", "--all", "--", "--limit", "-x", "--", "--help")
    #expect(values[List.words] == ["a", "--limit", "-x", "--", "--help"])
    #expect(values[List.showsAll])
    #expect(try self.values("list", "-", "-7")[List.words] == ["-", "-7"])
  }

  @Test func globalOptionsStandAnywhere() throws {
    for line in [["--store", "x", "list"], ["list", "--store", "x"], ["list", "word", "--store=x", "--all"]] {
      guard case .run(_, let values) = try ExampleTool.tool.parse(line) else {
        Issue.record("\(line) runs no command")
        continue
      }
      #expect(values[ExampleTool.store] == "x", "\(line)")
    }
  }

  @Test func positionalArguments() throws {
    let shown = try values("show", "abcd", "title")
    #expect(shown[ExampleTool.Show.id] == "abcd")
    #expect(shown[ExampleTool.Show.field] == "title")
    #expect(try values("show", "abcd")[ExampleTool.Show.field] == nil)
    #expect(try values("delete", "a", "b")[ExampleTool.Delete.ids] == ["a", "b"])
    #expect(message("show") == "missing argument ID")
    #expect(message("delete") == "missing argument ID")
    #expect(message("delete", "a", "") == "invalid value '' for ID: it is empty")
    #expect(message("show", "abcd", "text", "more") == "unexpected argument 'more'")
    #expect(message("show", "abcd", "id") == "invalid value 'id' for FIELD: expected one of text, title")
  }

  @Test func requiredOptions() throws {
    #expect(try values("copy", "--to", "lmdb")[ExampleTool.Copy.destination] == "lmdb")
    #expect(message("copy") == "missing option '--to'")
  }

  @Test func invalidValues() {
    #expect(message("list", "--limit", "many") == "invalid value 'many' for '--limit': expected a whole number")
    #expect(message("list", "-n", "") == "invalid value '' for '--limit': expected a whole number")
    #expect(
      message("list", "--format", "xml") == "invalid value 'xml' for '--format': expected one of table, plain, json")
    #expect(message("list", "--all=yes") == "option '--all' takes no value")
  }

  @Test func unknownOptionsNameTheNearest() {
    #expect(message("list", "--limt", "5") == "unknown option '--limt' for 'list'; did you mean '--limit'?")
    #expect(message("list", "--form=json") == "unknown option '--form' for 'list'; did you mean '--format'?")
    #expect(message("list", "-limit") == "unknown option '-limit' for 'list'; did you mean '--limit'?")
    #expect(message("list", "-all") == "unknown option '-all' for 'list'; did you mean '--all'?")
    #expect(
      message("list", "--quux")
        == "unknown option '--quux' for 'list'; a WORD that begins with a dash is written after '--'")
    #expect(message("copy", "--quux") == "unknown option '--quux' for 'copy'")
    #expect(message("--limit", "5", "list") == "unknown option '--limit'; options of a command stand after it")
  }

  @Test func messagesAreHarmlessAndShort() throws {
    let text = try #require(message("list", "--" + String(repeating: "\u{1B}[2J\n", count: 1000)))
    #expect(text.utf8.count < 250)
    #expect(!text.utf8.contains { $0 < 0x20 })
  }

  @Test func unknownCommandsNameTheNearest() {
    #expect(message("lst") == "unknown command 'lst'; did you mean 'list'?")
    #expect(message("del", "x") == "unknown command 'del'; did you mean 'delete'?")
    #expect(message("frobnicate") == "unknown command 'frobnicate'")
    #expect(message("help", "shwo") == "unknown command 'shwo'; did you mean 'show'?")
    #expect(message("help", "show", "more") == "unexpected argument 'more'")
  }

  @Test func aUsageErrorPointsToHelp() {
    #expect(throws: UsageError("unknown option '--x' for 'copy'", command: "copy")) {
      try ExampleTool.tool.parse(["copy", "--x"])
    }
    let error = UsageError("missing argument ID", command: "delete")
    #expect(error.text(tool: "saver") == "missing argument ID.\nSee 'saver help delete'.")
    #expect(UsageError("unknown command 'x'").text(tool: "saver") == "unknown command 'x'.\nSee 'saver help'.")
    #expect(error.exitCode.rawValue == 64)
  }

  @Test(arguments: [
    ([], nil), (["help"], nil), (["--help"], nil), (["-h"], nil), (["--store", "x"], nil), (["help", "list"], "list"),
    (["list", "--help"], "list"), (["list", "-h"], "list"), (["list", "-vh"], "list"),
    (["delete", "--help"], "delete"),
    (["list", "--quux", "--help"], "list"), (["--help", "show"], "show"), (["help", "help"], "help"),
    (["help", "--help"], "help"), (["lst", "-h"], nil),
  ])
  func help(arguments: [String], command: String?) throws {
    guard case .help(let topic) = try ExampleTool.tool.parse(arguments) else {
      Issue.record("\(arguments) asks for no help")
      return
    }
    #expect(topic?.name == command)
  }

  @Test(arguments: [["--version"], ["list", "--version"], ["--version", "delete"]])
  func version(arguments: [String]) throws {
    guard case .version = try ExampleTool.tool.parse(arguments) else {
      Issue.record("\(arguments) asks for no version")
      return
    }
  }

  @Test func wronglyDeclaredCommandsAreRefused() async {
    await #expect(processExitsWith: .failure) {
      _ = Command("x", abstract: "", parameters: [Flag("a", help: ""), Flag("a", help: "")])
    }
    await #expect(processExitsWith: .failure) {
      _ = Command(
        "x", abstract: "", parameters: [OptionalArgument(.text("A"), help: ""), Argument(.text("B"), help: "")])
    }
    await #expect(processExitsWith: .failure) {
      _ = Command(
        "x", abstract: "", parameters: [RepeatedArgument(.text("A"), help: ""), Argument(.text("B"), help: "")])
    }
    await #expect(processExitsWith: .failure) {
      let command = Command("x", abstract: "", parameters: [Flag("help", help: "")])
      _ = Tool("t", abstract: "", commands: [command])
    }
  }
}

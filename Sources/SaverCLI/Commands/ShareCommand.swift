import FoundationEssentials
import SaverKit

enum ShareCommand: ToolCommand {
  static let name = "share"

  static let texts = RepeatedArgument(
    .text("TEXT"), help: "A link or a text. '-', or none with a piped standard input: all that comes from there.")
  static let lines = Flag("lines", help: "Takes each line of standard input as an item; empty lines are skipped.")
  static let title = Option("title", .text("TITLE"), help: "A title for the item.")
  static let tags = RepeatedOption("tag", short: "t", .nonEmptyText("TAG"), help: "A tag for the item.")
  static let created = Option("created", .date(), help: "When the item was made, if not now.")
  static let duplicates = Option(
    "duplicates", .choice(DuplicatePolicy.self, "POLICY"),
    help: "What becomes of a link that is there already: it moves to the top, is kept twice, or is refused.")
  static let format = Option("format", .choice(ShareFormat.self, "FORMAT"), help: "What is printed of each item.")

  enum ShareFormat: String, CaseIterable {
    case plain, json
  }

  static let command = Command(
    name, abstract: "Saves links and texts, and prints the id of each.",
    discussion: """
      All the texts are saved together, or none of them. A text is kept exactly as it is; what makes two links the same \
      is looked at, never stored: letter case of scheme and host, the default port, one trailing slash, and parameters \
      that only say where a reader came from (utm_*, fbclid, gclid, mc_cid, mc_eid).
      """,
    parameters: [lines, title, tags, created, duplicates, format, texts])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let shared = try texts(arguments).map { text in
      SharedText(text, title: arguments[title], tags: arguments[tags], createdAt: arguments[created])
    }
    try context.diagnoseUndo("saving", shared.count)
    let policy = arguments[duplicates] ?? context.configuration.shareDuplicates.value
    let outcomes =
      shared.isEmpty ? [] : try await context.repository().share(shared, duplicates: policy)
    for outcome in outcomes {
      switch arguments[format] ?? .plain {
      case .plain: try context.output.writeLine(outcome.item.id.hexadecimalText)
      case .json: try context.output.write(outcome.item.jsonLine())
      }
      if case .bumped(let item) = outcome {
        try context.diagnose("\(item.id.shortText) was there already; it is at the top now")
      }
    }
    if context.configuration.backend.value == "memory" {
      try context.diagnose("the memory backend forgets everything when this command ends")
    }
    return .success
  }

  private static func texts(_ arguments: ParsedArguments) throws -> [String] {
    var texts = arguments[texts]
    if texts.isEmpty {
      if StandardInput.isTerminal {
        throw UsageError("missing argument TEXT; a text can also come from standard input", command: command.name)
      }
      texts = ["-"]
    } else if arguments[lines], texts != ["-"] {
      throw UsageError("'--lines' reads standard input and takes no TEXT", command: command.name)
    }
    if arguments[lines] { return try StandardInput.lines() }
    return try texts.map { text in
      let text = text == "-" ? try StandardInput.text() : text
      if text.allSatisfy(\.isWhitespace) { throw UsageError("the text is empty", command: command.name) }
      return text
    }
  }
}

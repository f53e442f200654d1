import SaverCore
import SaverKit

enum ShowCommand: ToolCommand {
  static let name = "show"

  static let ids = RepeatedArgument(.item(), minimum: 1, help: "The whole id, or a beginning or end of it.")
  static let format = Option("format", short: "f", .choice(ShowFormat.self, "FORMAT"), help: "How it is shown.")

  enum ShowFormat: String, CaseIterable {
    case plain, json, jsonl
  }

  static let command = Command(
    name, abstract: "Shows everything about items.", parameters: [format, ids])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    guard let repository = try context.existingRepository() else {
      throw ItemReferenceError.notFound(arguments[ids][0])
    }
    let items = try await repository.items(named: arguments[ids])
    switch arguments[format] ?? .plain {
    case .json: try print(items, .json, context)
    case .jsonl: try print(items, .jsonl, context)
    case .plain:
      for (index, item) in items.enumerated() {
        if index > 0 { try context.output.writeLine("") }
        for line in ItemDetails.lines(item, context.style) { try context.output.writeLine(line) }
      }
    }
    return .success
  }

  private static func print(_ items: [SavedItem], _ format: ListFormat, _ context: CommandContext) throws {
    var printer = ItemPrinter(format: format, fields: SavedItemSelection.Field.allCases)
    try printer.begin(context.output)
    for item in items { try printer.print(item, to: context.output) }
    try printer.end(context.output)
  }
}

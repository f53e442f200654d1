import Glibc
import SaverCore
import SaverKit

enum DeleteCommand: ToolCommand {
  static let name = "delete"

  static let ids = RepeatedArgument(.item(), help: "The whole id, or a beginning or end of it.")
  static let yes = Flag("yes", short: "y", help: "Deletes what a selection names without asking.")
  static let format = Option(
    "format", short: "f", .choice(ListFormat.self, "FORMAT"), help: "How what was deleted is printed.")

  static let command = Command(
    name, abstract: "Deletes items, and prints what it deleted.",
    discussion: """
      With ids, exactly those, or none if one of them names no item or several. With the options of a selection, all \
      that 'list --all' shows with the same options, after a question on a terminal, or with --yes.
      """,
    parameters: SelectionOptions.all + [yes, format, ids])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let references = arguments[ids]
    if SelectionOptions.areGiven(arguments) {
      guard references.isEmpty else {
        throw UsageError("either ids or a selection, not both", command: command.name)
      }
      return try await delete(SelectionOptions.selection(arguments), arguments, context)
    }
    guard let first = references.first else {
      throw UsageError("missing argument ID; nothing is deleted without being named", command: command.name)
    }
    guard let repository = try context.existingRepository() else { throw ItemReferenceError.notFound(first) }
    try context.diagnoseUndo("deleting", Set(references).count)
    try print(try await repository.delete(named: references), arguments, context)
    return .success
  }

  private static func delete(
    _ selection: SavedItemSelection, _ arguments: ParsedArguments, _ context: CommandContext
  ) async throws -> ExitCode {
    // A search for nothing but white space selects everything, and everything is never deleted by chance.
    guard selection.isFiltered else {
      throw UsageError("the selection names nothing, and would delete everything", command: command.name)
    }
    guard let repository = try context.existingRepository() else {
      try print([], arguments, context)
      return .success
    }
    guard arguments[yes] || context.canAsk else {
      throw UsageError("deleting a selection needs '--yes' where nobody can be asked", command: command.name)
    }
    let count = try await repository.count(matching: selection)
    try context.diagnoseUndo("deleting", count)
    if !arguments[yes] {
      if count == 0 { return .success }
      guard try ask("Delete \(count == 1 ? "1 item" : "\(count) items")? [y/N] ", context) else {
        throw CommandFailure("nothing was deleted")
      }
    }
    try print(try await repository.delete(matching: selection), arguments, context)
    return .success
  }

  private static func ask(_ question: String, _ context: CommandContext) throws -> Bool {
    try context.output.write(question)
    try context.output.flush()
    let answer = readLine()?.lowercased() ?? ""
    return answer == "y" || answer == "yes"
  }

  private static func print(
    _ items: [SavedItem], _ arguments: ParsedArguments, _ context: CommandContext
  ) throws {
    let format = arguments[format] ?? .table
    if format == .table {
      let table = ItemTable(items, fields: format.defaultFields)
      let width = TerminalWidth.cells(environment: context.environment) - "deleted  ".utf8.count
      for line in table.lines(limit: max(width, 1), style: context.style) {
        try context.output.writeLine("deleted  " + line)
      }
    } else {
      var printer = ItemPrinter(format: format, fields: format.defaultFields)
      try printer.begin(context.output)
      for item in items { try printer.print(item, to: context.output) }
      try printer.end(context.output)
    }
  }
}

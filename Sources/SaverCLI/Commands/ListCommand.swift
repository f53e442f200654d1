import FoundationEssentials
import SaverKit

enum ListCommand: ToolCommand {
  static let name = "list"

  static let limit = Option("limit", short: "n", .wholeNumber("COUNT", in: 0...), help: "Shows at most COUNT items.")
  static let all = Flag("all", short: "a", help: "Shows all items, however many there are.")
  static let sort = Option(
    "sort", .sort("FIELD[:asc|desc]"),
    help: "Sorts by id, text, title, createdAt or updatedAt; dates come newest first unless asc is said.")
  static let after = Option("after", .item(), help: "Begins behind this item: the next page.")
  static let format = Option("format", short: "f", .choice(ListFormat.self, "FORMAT"), help: "How items are printed.")
  static let fields = Option(
    "fields", .fields("FIELD,…"), help: "What is printed of each item: id, text, title, tags, createdAt, updatedAt.")
  static let count = Flag("count", help: "Prints only how many items there are.")
  static let null = Flag("null", help: "Ends each item with a NUL instead of a line break, for xargs -0.")

  static let command = Command(
    name, abstract: "Shows items, newest first.",
    discussion: """
      Without --limit or --all, as many items as the configuration's list.limit says, 50 by default. Ids are short in \
      tables: their last digits, as many as tell the items of the list apart.
      """,
    parameters: SelectionOptions.all + [limit, all, sort, after, format, fields, count, null])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    var selection = SelectionOptions.selection(arguments)
    if let sort = arguments[sort] { selection.sort = sort }
    let repository = try context.existingRepository()
    if let after = arguments[after] {
      selection.after = try await repository?.items(named: [after])[0]
      if selection.after == nil { throw ItemReferenceError.notFound(after) }
    }
    if arguments[count] {
      selection.limit = arguments[limit]
      try await context.output.writeLine("\(repository?.count(matching: selection) ?? 0)")
      return .success
    }
    selection.limit = arguments[limit] ?? (arguments[all] ? nil : context.configuration.listLimit.value)

    let format = try format(arguments, context)
    if arguments[null], format == .table || format == .json {
      throw UsageError("'--null' needs a format of one line an item: plain, tsv, csv or jsonl", command: command.name)
    }
    var printer = ItemPrinter(
      format: format, fields: arguments[fields] ?? format.defaultFields, endsWithNull: arguments[null])
    if format == .table {
      let items = try await repository?.items(matching: selection) ?? []
      try printTable(items, printer.fields, context)
      if arguments[limit] == nil, items.count == selection.limit, context.output.isTerminal {
        try context.diagnose("these are the first \(items.count); --all shows all, --after ID goes on")
      }
      return .success
    }
    try printer.begin(context.output)
    if let repository {
      let stream = ItemStream(printer: printer, output: context.output)
      try await repository.forEach(matching: selection) { try stream.print($0) }
      printer = stream.printer
    }
    try printer.end(context.output)
    return .success
  }

  private static func format(_ arguments: ParsedArguments, _ context: CommandContext) throws -> ListFormat {
    // A NUL says that a program reads: the configured table is not for it.
    arguments[format] ?? (arguments[null] ? .plain : context.configuration.listFormat.value)
  }

  private static func printTable(
    _ items: [SavedItem], _ fields: [SavedItemSelection.Field], _ context: CommandContext
  ) throws {
    let width = context.output.isTerminal || context.environment.nonEmpty("COLUMNS") != nil
    let table = ItemTable(items, fields: fields)
    let limit = width ? TerminalWidth.cells(environment: context.environment) : TerminalWidth.standard
    for line in table.lines(limit: limit, style: context.style) { try context.output.writeLine(line) }
  }
}

/// What the repository hands one item after the other to, while the command waits.
private final class ItemStream: @unchecked Sendable {
  // MARK: Mutable state
  // Used by whichever thread the repository works on, while the command waits; read by the command after that.
  var printer: ItemPrinter
  private let output: OutputWriter

  init(printer: ItemPrinter, output: OutputWriter) {
    self.printer = printer
    self.output = output
  }

  func print(_ item: SavedItem) throws -> Bool {
    try printer.print(item, to: output)
    return true
  }
}

extension ArgumentType<SavedItemSelection.Sort> {
  /// `createdAt`, `title:desc`.
  static func sort(_ placeholder: String) -> Self {
    let names = SavedItemSelection.Field.allCases.filter(\.isSortable).map(\.rawValue)
    return ArgumentType(placeholder) { text throws(InvalidValue) in
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      guard let field = SavedItemSelection.Field(rawValue: parts[0]), field.isSortable else {
        throw .notOneOf(names)
      }
      switch parts.dropFirst() {
      case []: return .init(field, descending: field == .createdAt || field == .updatedAt)
      case ["asc"]: return .init(field, descending: false)
      case ["desc"]: return .init(field, descending: true)
      default: throw InvalidValue("expected ':asc' or ':desc' behind the field")
      }
    }
  }
}

extension ArgumentType<[SavedItemSelection.Field]> {
  /// `id,title,tags`.
  static func fields(_ placeholder: String) -> Self {
    ArgumentType(placeholder) { text throws(InvalidValue) in
      var fields: [SavedItemSelection.Field] = []
      for name in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let field = SavedItemSelection.Field(rawValue: String(name)) else {
          throw .notOneOf(SavedItemSelection.Field.allCases.map(\.rawValue))
        }
        if !fields.contains(field) { fields.append(field) }
      }
      return fields
    }
  }
}

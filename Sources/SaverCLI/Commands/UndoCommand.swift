import FoundationEssentials
import SaverCore
import SaverKit

enum UndoCommand: ToolCommand {
  static let name = "undo"

  static let list = Flag(
    "list", short: "l", help: "Shows what can be taken back, the newest first, and changes nothing.")
  static let redo = Flag("redo", help: "Takes the newest undo back; with --list, shows which ones can be.")
  static let limit = Option(
    "limit", short: "n", .wholeNumber("COUNT", in: 0...), help: "Lists at most COUNT operations.")
  static let format = Option("format", short: "f", .choice(UndoFormat.self, "FORMAT"), help: "How it is printed.")

  enum UndoFormat: String, CaseIterable {
    case plain, json
  }

  static let command = Command(
    name, abstract: "Takes back the newest operation: a share, an edit, a delete.",
    discussion: """
      Takes back the newest operation of this user that stands, whole, in whichever process it was, and prints what it \
      did. Again takes back the one before. An undo is a change like any other: every list sees it, and --redo takes it \
      back.

      Nothing is taken back, and the exit code is 1, if somebody else has changed one of the items since, or if the \
      history does not reach so far (see history in the configuration); the reasons are listed on standard error.
      """,
    parameters: [list, redo, limit, format])

  /// How many operations are listed where nobody says.
  private static let listLimit = 20

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    if arguments[limit] != nil, !arguments[list] {
      throw UsageError("'--limit' goes with '--list'", command: command.name)
    }
    let store = try context.existingStore()
    if arguments[list] {
      try printList(try store.map { try operations($0, arguments) } ?? [], arguments, context)
      return .success
    }
    let types = [SavedItem.schema.type]
    let outcome = try store.map { arguments[redo] ? try $0.redo(of: types) : try $0.undo(of: types) } ?? .nothing
    switch outcome {
    case .nothing:
      throw CommandFailure("there is nothing to \(arguments[redo] ? "redo" : "undo")", code: "nothing")
    case .refused(let operation):
      throw CommandFailure(refusal(of: operation, redoes: arguments[redo]), code: "conflict")
    case .done(let operation, _):
      if arguments[format] == .json {
        var json = JSONWriter()
        json.operation(operation)
        json.endLine()
        try context.output.write(json.takeBytes())
      } else if let store {
        try await printDone(operation, context.repository(on: store), arguments, context)
      }
    }
    return .success
  }

  private static func operations(_ store: Store, _ arguments: ParsedArguments) throws -> [UndoableOperation] {
    let types = [SavedItem.schema.type]
    let limit = arguments[limit] ?? listLimit
    return arguments[redo]
      ? try store.redoableOperations(of: types, limit: limit) : try store.undoableOperations(of: types, limit: limit)
  }

  // MARK: Output

  /// What was done to each item: the opposite of what the operation did.
  private static func printDone(
    _ operation: UndoableOperation, _ repository: SavedItemRepository, _ arguments: ParsedArguments,
    _ context: CommandContext
  ) async throws {
    let verb = arguments[redo] ? "redid" : "undid"
    try context.output.writeLine("\(verb) \(title(operation))")
    var table = Table([Table.Column(), Table.Column(role: .id), Table.Column(isFlexible: true)])
    let length = ShortID.length(of: operation.rows.map(\.id))
    for (word, rows) in [
      ("removed", operation.inserted), ("changed", operation.updated), ("restored", operation.deleted),
    ] {
      for row in rows {
        let item = try await repository.item(row.id)
        table.append([word, row.id.shortText(length), item?.headline ?? ""])
      }
    }
    let width = TerminalWidth.cells(environment: context.environment)
    for line in table.lines(limit: width, style: context.style) { try context.output.writeLine(line) }
  }

  private static func printList(
    _ operations: [UndoableOperation], _ arguments: ParsedArguments, _ context: CommandContext
  ) throws {
    if arguments[format] == .json {
      var json = JSONWriter()
      json.array { json in
        for operation in operations { json.operation(operation) }
      }
      json.endLine()
      try context.output.write(json.takeBytes())
      return
    }
    var table = Table([Table.Column(role: .date), Table.Column(role: .heading), Table.Column(), Table.Column()])
    for operation in operations {
      let counts = [
        (operation.inserted.count, "added"), (operation.updated.count, "changed"), (operation.deleted.count, "deleted"),
      ]
      let done = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      let reason = operation.conflicts.first.map { "cannot be taken back: \(line($0))" } ?? ""
      let name = arguments[redo] ? "undo of \(operation.name)" : operation.name
      table.append([DateText.localWithSeconds(operation.time), name, done, reason])
    }
    for line in table.lines(limit: nil, style: context.style) { try context.output.writeLine(line) }
  }

  private static func refusal(of operation: UndoableOperation, redoes: Bool) -> String {
    let verb = redoes ? "redone" : "undone"
    let shown = operation.conflicts.prefix(conflictsShown).map { "\n  " + line($0) }
    let more = operation.conflicts.count - shown.count
    return "\(title(operation)) cannot be \(verb); nothing was changed" + shown.joined()
      + (more > 0 ? "\n  and \(more) more" : "")
  }

  private static let conflictsShown = 50

  private static func title(_ operation: UndoableOperation) -> String {
    "'\(operation.name)' of \(DateText.localWithSeconds(operation.time))"
  }

  private static func line(_ conflict: UndoConflict) -> String {
    (conflict.row.map { $0.id.hexadecimalText + " " } ?? "") + conflict.description
  }
}

extension JSONWriter {
  /// An operation that can be, or was, taken back.
  fileprivate mutating func operation(_ operation: UndoableOperation) {
    object { json in
      json.member("operation", operation.operation.id.hexadecimalText)
      json.member("name", operation.name)
      json.member("time", DateText.rfc3339(operation.time))
      json.member("inserted", operation.inserted.map(\.id.hexadecimalText))
      json.member("updated", operation.updated.map(\.id.hexadecimalText))
      json.member("deleted", operation.deleted.map(\.id.hexadecimalText))
      json.member("possible", operation.isPossible)
      json.member("conflicts") { json in
        json.array { json in
          for conflict in operation.conflicts {
            json.object { json in
              json.member("id", conflict.row?.id.hexadecimalText)
              json.member("reason", conflict.description)
            }
          }
        }
      }
    }
  }
}

import FoundationEssentials
import SaverCore
import SaverKit

enum ForgetCommand: ToolCommand {
  static let name = "forget"

  static let ids = RepeatedArgument(
    .item(), minimum: 1, help: "The whole id, or a beginning or end of it; of a deleted item, the whole id.")
  static let format = Option(
    "format", short: "f", .choice(MaintenanceFormat.self, "FORMAT"), help: "How it is printed.")

  static let command = Command(
    name, abstract: "Removes items and every trace of their text from the store's files.",
    discussion: """
      Deletes the items, or none if one id names no item or several; takes their earlier content out of the history; and \
      writes the store's files anew, so that no byte of it is left in them. It cannot be undone, nor can what was done \
      to these items before. Backups and copies are other files: they keep what they have.

      An item that was deleted earlier is in the history still, and is forgotten by its whole id ('saver changes' shows \
      it). If another program keeps reading an earlier state, the exit code is 1: the items are gone, and what is left \
      to do is said on standard error.
      """,
    parameters: [format, ids])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let references = arguments[ids]
    guard let repository = try context.existingRepository() else {
      throw ItemReferenceError.notFound(references[0])
    }
    let note = PatienceNote("writing the store anew", context)
    let report: ForgettingReport
    do {
      defer { note.end() }
      report = try await repository.forget(references)
    }
    switch arguments[format] ?? .plain {
    case .plain:
      // Whole: who wants to look whether anything is left has nothing else to go by.
      for id in report.forgotten { try context.output.writeLine("forgot  \(id.hexadecimalText)") }
    case .json:
      try context.printJSON { json in
        json.member("forgotten", report.forgotten.map(\.hexadecimalText))
        json.member("remainder", report.remainder)
      }
    }
    guard let remainder = report.remainder else { return .success }
    try context.diagnose("the items are gone, but traces of them are left. \(remainder) ('saver compact')")
    return .failure
  }
}

import SaverCore
import SaverKit

enum CompactCommand: ToolCommand {
  static let name = "compact"

  static let format = Option(
    "format", short: "f", .choice(MaintenanceFormat.self, "FORMAT"), help: "How it is printed.")

  static let command = Command(
    name, abstract: "Gives space that the store no longer needs back to the disk.",
    discussion: """
      Others may go on reading, writing and watching. Needs room for a second copy meanwhile. An LMDB store is not \
      compacted while a program that is not of this kind has it open.
      """,
    parameters: [format])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    guard let repository = try context.existingRepository() else { throw context.noStore() }
    let note = PatienceNote("compacting the store", context)
    let report: CompactionReport
    do {
      defer { note.end() }
      report = try await repository.compact()
    }
    switch arguments[format] ?? .plain {
    case .plain: try context.output.writeLine("\(report.bytesBefore) bytes before, \(report.bytesAfter) bytes now")
    case .json:
      try context.printJSON { json in
        json.member("bytesBefore", report.bytesBefore)
        json.member("bytesAfter", report.bytesAfter)
        json.member("remainder", report.remainder)
      }
    }
    guard let remainder = report.remainder else { return .success }
    try context.diagnose("\(remainder) ('saver compact')")
    return .failure
  }
}

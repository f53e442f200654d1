import SaverCore
import SaverKit

enum BackupCommand: ToolCommand {
  static let name = "backup"

  static let file = Argument(
    .nonEmptyText("FILE"), help: "The new file; the engine's ending is added if it is missing.")
  static let force = Flag("force", help: "Replaces a file of this name; of a link, the link itself.")
  static let format = Option(
    "format", short: "f", .choice(MaintenanceFormat.self, "FORMAT"), help: "How it is printed.")

  static let command = Command(
    name, abstract: "Copies the store into a file, while others may write.",
    discussion: """
      The copy is one moment of the store, whole, checked, and readable by its owner alone. It appears under its name \
      when it is complete. It is a store of its own: 'saver --store FILE' opens it, 'saver restore FILE' puts it back.
      """,
    parameters: [force, format, file])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    guard let repository = try context.existingRepository() else { throw context.noStore() }
    let report: BackupReport
    do {
      let note = PatienceNote("copying the store", context)
      defer { note.end() }
      report = try await repository.backUp(to: arguments[file], force: arguments[force])
    } catch let error as StorageError where error.code == .fileExists {
      throw CommandFailure(
        "\((error.path ?? arguments[file]).visible): there is a file of this name already; '--force' replaces it",
        .cannotCreate, code: error.code.rawValue)
    }
    switch arguments[format] ?? .plain {
    case .plain: try context.output.writeLine("backed up to \(report.path.visible), \(report.size) bytes")
    case .json:
      try context.printJSON { json in
        json.member("path", report.path)
        json.member("size", report.size)
      }
    }
    return .success
  }
}

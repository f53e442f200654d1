import SaverCore
import SaverKit

enum RestoreCommand: ToolCommand {
  static let name = "restore"

  static let file = Argument(.nonEmptyText("FILE"), help: "A backup; the engine's ending may be left out.")
  static let force = Flag("force", help: "Replaces the items that the store has.")
  static let format = Option(
    "format", short: "f", .choice(MaintenanceFormat.self, "FORMAT"), help: "How it is printed.")

  static let command = Command(
    name, abstract: "Puts a backup into the store, while others may watch.",
    discussion: """
      Everything that the store holds is replaced, at once or not at all, by what 'saver backup' has written; every open \
      list shows it. The backup is checked first, and only read. It cannot be undone, and tokens from before \
      ('saver watch --since') are of another history. A store that has items is only replaced with --force.
      """,
    parameters: [force, format, file])

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    // A store is made if there is none, but not for a file that is not there.
    try requireFile(arguments[file], context)
    let repository = try context.repository()
    let report: RestoreReport
    do {
      let note = PatienceNote("restoring the store", context)
      defer { note.end() }
      report = try await repository.restore(from: arguments[file], force: arguments[force])
    } catch let error as StorageError where error.code == .notEmpty {
      throw CommandFailure(
        "\((error.path ?? "").visible): the store has items, which would be lost; '--force' replaces them",
        code: error.code.rawValue)
    }
    let count = try await repository.count()
    switch arguments[format] ?? .plain {
    case .plain:
      try context.output.writeLine(
        "restored \(count == 1 ? "1 item" : "\(count) items") from \(report.path.visible)")
    case .json:
      try context.printJSON { json in
        json.member("path", report.path)
        json.member("count", count)
      }
    }
    return .success
  }

  private static func requireFile(_ base: String, _ context: CommandContext) throws {
    let backend = try context.configuration.registry.backend(named: context.configuration.backend.value)
    guard let ending = backend.fileExtension else { return }
    let path = StoreLocation(base: base).path(withExtension: ending)
    guard case .missing = FileStatus(path: path), case .missing = FileStatus(path: base) else { return }
    throw StorageError(.noSuchStore, "There is no such file.", path: path)
  }
}

import Glibc
import SaverCore
import SaverKit
import SaverText

enum DoctorCommand: ToolCommand {
  static let name = "doctor"

  static let format = Option("format", short: "f", .choice(DoctorFormat.self, "FORMAT"), help: "How it is printed.")

  enum DoctorFormat: String, CaseIterable {
    case plain, json
  }

  static let repair = Flag(
    "repair", help: "Mends what can be mended without losing an item, and examines what is left.")

  static let command = Command(
    name, abstract: "Examines the store: engine, files, counts, integrity.",
    discussion: """
      Reads the whole store, in a process of its own, because a damaged LMDB file can end the process that reads it. \
      Exit code 1 if anything is wrong; warnings leave it at 0.

      --repair builds indexes anew from the items, makes again what another program has dropped, computes derived \
      values, and clears away what killed processes have left. A history that contradicts itself begins anew: watchers \
      and readers of it fetch everything once. Items and texts stay as they are.
      """,
    parameters: [repair, format])

  /// Set in the process that does the examination.
  private static let childVariable = "SAVER_DOCTOR_CHILD"

  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let isChild = context.environment.nonEmpty(childVariable) != nil
    if isChild || context.configuration.backend.value == "memory" { return try await examine(arguments, context) }
    switch try examineInChild() {
    case .exited(let code): return ExitCode(rawValue: code)
    case .killed(let signal):
      throw CommandFailure(
        "the store is damaged: reading it ended the examination by signal \(signal); restore it from a backup")
    }
  }

  private static func examineInChild() throws -> ChildProcess.Status {
    setenv(childVariable, "1", 1)
    return try ChildProcess.run("/proc/self/exe", Array(CommandLine.arguments.dropFirst()))
  }

  private static func examine(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode {
    let report = try await report(arguments, context)
    if arguments[format] == .json {
      try context.output.write(report.json)
    } else {
      for line in report.lines(context.style) { try context.output.writeLine(line) }
    }
    return report.problems.isEmpty ? .success : .failure
  }

  private static func report(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> DoctorReport {
    let store: Store
    do {
      store = try context.configuration.openStore(.never)
    } catch let error as StorageError where error.code == .noSuchStore {
      let base = context.configuration.store?.value ?? ""
      throw CommandFailure("\(base): there is no \(context.configuration.backend.value) store yet", .failure)
    } catch let error as StorageError where unusable.contains(error.code) {
      guard let path = try context.configuration.storeFile() else { throw error }
      return try DoctorReport(unopened: error, path: path, context)
    }
    return try await DoctorReport(store, repairing: arguments[repair], context)
  }

  /// What is wrong with the store itself; other errors say why this run could not look at it.
  private static let unusable: Set<StorageError.Code> = [
    .foreignFile, .corrupt, .unsupportedFormat, .schemaMismatch, .replacedStore, .unsupportedFileSystem,
  ]
}

import Glibc
import SaverCore
import SaverKit
import SaverText

enum DoctorCommand: ToolCommand {
  static let format = Option("format", short: "f", .choice(DoctorFormat.self, "FORMAT"), help: "How it is printed.")

  enum DoctorFormat: String, CaseIterable {
    case plain, json
  }

  static let command = Command(
    "doctor", abstract: "Examines the store: engine, files, counts, integrity.",
    discussion: """
      Reads the whole store, in a process of its own, because a damaged LMDB file can end the process that reads it. \
      Exit code 1 if anything is wrong; warnings leave it at 0.
      """,
    parameters: [format])

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
    guard let store = try context.existingStore() else {
      let base = context.configuration.store?.value ?? ""
      throw CommandFailure("\(base): there is no \(context.configuration.backend.value) store yet", .failure)
    }
    let report = try await DoctorReport(store, context)
    if arguments[format] == .json {
      try context.output.write(report.json)
    } else {
      for line in report.lines(context.style) { try context.output.writeLine(line) }
    }
    return report.problems.isEmpty ? .success : .failure
  }
}

/// A command: what parsing and help need of it, and what it does.
protocol ToolCommand: SendableMetatype {
  static var name: String { get }
  /// Of that name; made when it is needed.
  static var command: Command { get }

  /// Runs the command.
  ///
  /// - Returns: the exit code.
  /// - Throws: an error that stands for another one; `ExitCode(for:)` says which.
  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode
}

/// Why a command stops: a message for people, the exit code, and the word that JSON has for it.
struct CommandFailure: Error {
  let message: String
  let exitCode: ExitCode
  let code: String

  init(_ message: String, _ exitCode: ExitCode = .failure, code: String = "failed") {
    self.message = message
    self.exitCode = exitCode
    self.code = code
  }
}

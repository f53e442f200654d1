/// A command: what parsing and help need of it, and what it does.
protocol ToolCommand {
  static var command: Command { get }

  /// Runs the command.
  ///
  /// - Returns: the exit code.
  /// - Throws: an error that stands for another one; `ExitCode(for:)` says which.
  static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ExitCode
}

/// Why a command stops: a message for people, and the exit code.
struct CommandFailure: Error {
  let message: String
  let exitCode: ExitCode

  init(_ message: String, _ exitCode: ExitCode = .failure) {
    self.message = message
    self.exitCode = exitCode
  }
}

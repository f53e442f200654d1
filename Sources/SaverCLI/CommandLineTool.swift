public import SaverCore

/// The command line of `saver`, over whichever backends a program has.
///
/// A program with a backend of its own hands over another registry and has the same commands.
public struct CommandLineTool {
  public static let version = "0.1.0"

  private let registry: BackendRegistry
  private let tool: Tool
  private let commands: [any ToolCommand.Type] = [
    ShareCommand.self, ListCommand.self, ShowCommand.self, EditCommand.self, DeleteCommand.self, UndoCommand.self,
    WatchCommand.self, ChangesCommand.self, BackupCommand.self, RestoreCommand.self, CopyCommand.self,
    CompactCommand.self, ForgetCommand.self, ConfigCommand.self, DoctorCommand.self,
  ]

  /// - Parameter registry: the first backend is the default.
  public init(registry: BackendRegistry) {
    self.registry = registry
    tool = Tool(
      "saver", abstract: "Saves links and texts, and shows them wherever a list is open.",
      discussion: """
        The store is ~/.local/share/saver/items, in the file of the engine that is used. $SAVER_BACKEND, $SAVER_STORE \
        and a configuration file say otherwise; 'saver config' shows what holds.
        """,
      globalOptions: GlobalOptions.all,
      commands: commands.map { command in Tool.CommandSource(command.name) { command.command } })
  }

  /// Runs the command that this process's arguments name; the exit code.
  ///
  /// Blocks the thread that it is called on while it waits for the disk: a process runs one command and nothing else.
  public func run() async -> ExitCode {
    // `CommandLine.arguments` repairs what is not UTF-8, and a text would be saved that nobody shared.
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else { continue }
      let error = CommandFailure("argument \(index) is not valid UTF-8; nothing was done", .badData)
      report(error, .standardOutput(), .standardError(), asJSON: false)
      return error.exitCode
    }
    return await run(Array(CommandLine.arguments.dropFirst()))
  }

  /// Runs the command that the arguments name; the exit code.
  ///
  /// - Parameter arguments: without the program's name.
  public func run(_ arguments: [String]) async -> ExitCode {
    OutputWriter.ignoreBrokenPipeSignal()
    let output = OutputWriter.standardOutput()
    let diagnostics = OutputWriter.standardError()
    var code: ExitCode
    do {
      code = try await run(try tool.parse(arguments), output, diagnostics)
      try output.flush()
    } catch {
      code = ExitCode(for: error)
      report(error, output, diagnostics, asJSON: Self.wantsJSON(arguments))
    }
    return code
  }

  private func run(
    _ invocation: Invocation, _ output: OutputWriter, _ diagnostics: OutputWriter
  ) async throws -> ExitCode {
    switch invocation {
    case .help(let command):
      let help = HelpText(of: tool)
      try output.write(command.map { help.commandHelp($0) } ?? help.toolHelp())
      return .success
    case .version:
      try output.writeLine("\(tool.name) \(Self.version)")
      for backend in registry.backends { try output.writeLine("\(backend.name): \(backend.library)") }
      return .success
    case .run(let command, let arguments):
      let environment = Environment.process
      let context = CommandContext(
        tool: tool, environment: environment,
        configuration: try Configuration(
          flags: GlobalOptions.flags(arguments), environment: environment, registry: registry),
        output: output, diagnostics: diagnostics,
        style: TerminalStyle(
          arguments[GlobalOptions.color] ?? .auto, isTerminal: output.isTerminal, environment: environment))
      guard let implementation = commands.first(where: { $0.name == command.name }) else {
        throw UsageError("unknown command '\(command.name)'")
      }
      return try await implementation.run(arguments, context)
    }
  }

  /// What was printed before an error stays printed; a pipe that was closed is no reason to say anything.
  private func report(_ error: any Error, _ output: OutputWriter, _ diagnostics: OutputWriter, asJSON: Bool) {
    if let error = error as? OutputError, error.message == nil { return }
    try? output.flush()
    let message = ErrorMessage(error, tool: tool.name)
    if asJSON {
      try? diagnostics.write(message.json)
    } else {
      try? diagnostics.writeLine("\(tool.name): \(message.text.withVisibleControls)")
    }
    try? diagnostics.flush()
  }

  /// Whether JSON is asked for, also on a command line that cannot be understood.
  private static func wantsJSON(_ arguments: [String]) -> Bool {
    let options = arguments.prefix { $0 != "--" }
    return options.contains("--format=json")
      || zip(options, options.dropFirst()).contains { option, value in
        ["--format", "-f"].contains(option) && value == "json"
      }
  }
}

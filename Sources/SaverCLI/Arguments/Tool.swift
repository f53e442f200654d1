/// The whole command line as data: the tool, its global options and its commands.
///
/// `help`, `--help`, `-h` and `--version` are built in.
package struct Tool: Sendable {
  package let name: String
  /// One sentence.
  package let abstract: String
  /// As a command's.
  package let discussion: String
  /// Options that may stand before or after the command.
  package let globalOptions: [ParameterSpecification]
  /// In the order of help, the built-in `help` last.
  private let commandSources: [CommandSource]

  /// A command that is made when it is looked up. A process runs one: making all of them was an eighth of `saver list`.
  package struct CommandSource: Sendable {
    let name: String
    let make: @Sendable () -> Command

    package init(_ name: String, make: @escaping @Sendable () -> Command) {
      self.name = name
      self.make = make
    }
  }

  /// - Precondition: the names of the commands are distinct. Whenever one is made: it has that name, and no option of it
  ///   is named like a global one.
  package init(
    _ name: String, abstract: String, discussion: String = "", globalOptions: [any Parameter] = [],
    commands: [CommandSource]
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.globalOptions = globalOptions.map(\.specification) + [Self.help.specification, Self.version.specification]
    commandSources = commands + [CommandSource(Self.helpName) { Self.helpCommand }]
    let names = commandSources.map(\.name)
    precondition(Set(names).count == names.count, "Two commands have the same name")
  }

  /// The same with commands that are there already, and are checked at once.
  package init(
    _ name: String, abstract: String, discussion: String = "", globalOptions: [any Parameter] = [], commands: [Command]
  ) {
    self.init(
      name, abstract: abstract, discussion: discussion, globalOptions: globalOptions,
      commands: commands.map { command in CommandSource(command.name) { command } })
    _ = self.commands
  }

  /// All commands in the order of help, the built-in `help` last.
  package var commands: [Command] { commandSources.map(made) }

  /// The command of that name.
  package func command(named name: String) -> Command? {
    commandSources.first { $0.name == name }.map(made)
  }

  // MARK: Built in

  static let help = Flag("help", short: "h", help: "Shows help.")
  static let version = Flag("version", help: "Shows the version.")
  static let helpName = "help"
  static let helpTopic = OptionalArgument(.text("COMMAND"), help: "The command to explain.")
  static let helpCommand = Command(helpName, abstract: "Shows help on a command.", parameters: [helpTopic])

  private func made(_ source: CommandSource) -> Command {
    let command = source.make()
    precondition(command.name == source.name, "'\(source.name)' makes '\(command.name)'")
    let options = command.options + globalOptions
    let names = options.map(\.name)
    precondition(Set(names).count == names.count, "Two options of '\(command.name)' have the same name")
    let shorts = options.compactMap(\.short)
    precondition(Set(shorts).count == shorts.count, "Two options of '\(command.name)' have the same letter")
    return command
  }
}

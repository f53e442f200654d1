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
  /// All commands in the order of help, the built-in `help` last.
  package let commands: [Command]

  /// - Precondition: the names of the commands are distinct, and no command's option is named like a global one.
  package init(
    _ name: String, abstract: String, discussion: String = "", globalOptions: [any Parameter] = [], commands: [Command]
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.globalOptions = globalOptions.map(\.specification) + [Self.help.specification, Self.version.specification]
    self.commands = commands + [Self.helpCommand]
    checkInvariants()
  }

  /// The command of that name.
  package func command(named name: String) -> Command? {
    commands.first { $0.name == name }
  }

  // MARK: Built in

  static let help = Flag("help", short: "h", help: "Shows help.")
  static let version = Flag("version", help: "Shows the version.")
  static let helpTopic = OptionalArgument(.text("COMMAND"), help: "The command to explain.")
  static let helpCommand = Command("help", abstract: "Shows help on a command.", parameters: [helpTopic])

  private func checkInvariants() {
    let names = commands.map(\.name)
    precondition(Set(names).count == names.count, "Two commands have the same name")
    for command in commands {
      let options = command.options + globalOptions
      let names = options.map(\.name)
      precondition(Set(names).count == names.count, "Two options of '\(command.name)' have the same name")
      let shorts = options.compactMap(\.short)
      precondition(Set(shorts).count == shorts.count, "Two options of '\(command.name)' have the same letter")
    }
  }
}

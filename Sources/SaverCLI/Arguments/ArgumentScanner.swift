/// One pass over a command line; `Tool.parse` states the rules.
struct ArgumentScanner {
  private let tool: Tool

  // MARK: Mutable state
  // Local to one pass: a value of `Tool.parse`.

  private var remaining: ArraySlice<String>
  /// `nil` until the first argument that is no option.
  private(set) var command: Command?
  private var positionals: [String] = []
  private var values = ParsedArguments()

  init(tool: Tool, arguments: [String]) {
    self.tool = tool
    remaining = arguments[...]
  }

  mutating func scan() throws(UsageError) -> Invocation {
    var optionsEnded = false
    while let argument = remaining.popFirst() {
      if optionsEnded || !Self.looksLikeOption(argument) {
        try take(positional: argument)
      } else if argument == "--" {
        optionsEnded = true
      } else if argument.hasPrefix("--") {
        try take(long: argument)
      } else {
        try take(group: argument)
      }
    }
    return try finish()
  }

  // MARK: Options

  /// `-x`, `--x` and `--`, but not `-`, `-5`, `-.5`, or a sentence that begins with a dash and a space.
  private static func looksLikeOption(_ argument: String) -> Bool {
    guard argument.utf8.first == UInt8(ascii: "-"), let second = argument.utf8.dropFirst().first else { return false }
    return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) && second != UInt8(ascii: ".")
      && second != UInt8(ascii: " ")
  }

  private var knownOptions: [ParameterSpecification] {
    (command?.options ?? []) + tool.globalOptions
  }

  /// `--name`, `--name value` or `--name=value`.
  private mutating func take(long argument: String) throws(UsageError) {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = knownOptions.first(where: { $0.name == parts[0] }) else {
      throw unknownOption("--" + parts[0])
    }
    if option.kind == .flag {
      guard parts.count == 1 else { throw error("option \(option.displayName) takes no value") }
      values.append("", for: option)
    } else {
      try take(parts.count == 2 ? String(parts[1]) : nextValue(of: option), for: option)
    }
  }

  /// `-a`, `-abc`, `-n 5`, `-n5`, `-n=5`, `-abn5`.
  private mutating func take(group argument: String) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = knownOptions.first(where: { $0.short == letter }) else {
        // A long name after one dash is a slip worth naming whole.
        let name = String(argument.dropFirst())
        throw unknownOption(knownOptions.contains { $0.name == name } ? argument : "-\(letter)")
      }
      if option.kind == .flag {
        values.append("", for: option)
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      let hasValue = !letters.isEmpty || argument.last == "="
      return try take(hasValue ? String(letters) : nextValue(of: option), for: option)
    }
  }

  private mutating func nextValue(of option: ParameterSpecification) throws(UsageError) -> String {
    guard let next = remaining.first else { throw error("missing value for \(option.displayName)") }
    guard !Self.looksLikeOption(next) else {
      let hint = next == "--" ? "" : "; a value that begins with a dash is written --\(option.name)=VALUE"
      throw error("missing value for \(option.displayName) before \(UsageError.quoted(next))\(hint)")
    }
    remaining.removeFirst()
    return next
  }

  private mutating func take(_ text: String, for parameter: ParameterSpecification) throws(UsageError) {
    do throws(InvalidValue) {
      values.append(try parameter.read(text), for: parameter)
    } catch {
      throw self.error("invalid value \(UsageError.quoted(text)) for \(parameter.displayName): \(error.reason)")
    }
  }

  // MARK: The command and its arguments

  private mutating func take(positional argument: String) throws(UsageError) {
    if command == nil {
      command = try tool.command(orSuggestionFor: argument)
    } else {
      positionals.append(argument)
    }
  }

  private mutating func finish() throws(UsageError) -> Invocation {
    if values[Tool.help] { return .help(command) }
    if values[Tool.version] { return .version }
    guard let command else { return .help(nil) }
    try assignPositionals(of: command)
    for option in command.options where option.kind == .option(isRequired: true) && !values.has(option) {
      throw error("missing option \(option.displayName)")
    }
    guard command.name == Tool.helpName else { return .run(command, values) }
    guard let topic = values[Tool.helpTopic] else { return .help(nil) }
    return .help(try tool.command(orSuggestionFor: topic))
  }

  private mutating func assignPositionals(of command: Command) throws(UsageError) {
    var rest = positionals[...]
    for parameter in command.positionals {
      guard case .positional(let arity) = parameter.kind else { continue }
      let taken = rest.prefix(arity.maximum ?? rest.count)
      guard taken.count >= arity.minimum else { throw error("missing argument \(parameter.name)") }
      for text in taken { try take(text, for: parameter) }
      rest = rest.dropFirst(taken.count)
    }
    if let first = rest.first { throw error("unexpected argument \(UsageError.quoted(first))") }
  }

  // MARK: Errors

  private func error(_ message: String) -> UsageError {
    UsageError(message, command: command?.name)
  }

  private func unknownOption(_ written: String) -> UsageError {
    let name = String(written.drop { $0 == "-" })
    var message = "unknown option \(UsageError.quoted(written))"
    if let command { message += " for '\(command.name)'" }
    if let suggestion = Suggestion.nearest(to: name, among: knownOptions.map(\.name)) {
      message += "; did you mean '--\(suggestion)'?"
    } else if command == nil, tool.commands.contains(where: { $0.options.contains { $0.name == name } }) {
      message += "; options of a command stand after it"
    } else if let positional = command?.positionals.first {
      message += "; a \(positional.name) that begins with a dash is written after '--'"
    }
    return error(message)
  }
}

extension Tool {
  /// The command of that name, or an error that suggests the nearest one.
  fileprivate func command(orSuggestionFor name: String) throws(UsageError) -> Command {
    if let command = command(named: name) { return command }
    let suggestion = Suggestion.nearest(to: name, among: commands.map(\.name))
    throw UsageError(
      "unknown command \(UsageError.quoted(name))" + (suggestion.map { "; did you mean '\($0)'?" } ?? ""))
  }
}

internal import SaverText

/// Help as text, made from the same description that parses: lines of at most 80 cells, no colour.
package struct HelpText: Sendable {
  private let tool: Tool
  private let width: Int

  package init(of tool: Tool, width: Int = 80) {
    self.tool = tool
    self.width = width
  }

  /// Help on the tool: its commands and global options.
  package func toolHelp() -> String {
    let commands = tool.commands.map { ($0.name, $0.abstract) }
    return render([
      [tool.abstract],
      ["Usage: \(tool.name) [OPTION…] COMMAND …"],
      section("Commands:", commands),
      section("Options:", tool.globalOptions.map(Self.entry)),
      TextWrapping.paragraphs(tool.discussion, width: width),
      ["'\(tool.name) help COMMAND' explains a command."],
    ])
  }

  /// Help on one command.
  package func commandHelp(_ command: Command) -> String {
    render([
      TextWrapping.lines(command.abstract, width: width),
      usage(of: command),
      TextWrapping.paragraphs(command.discussion, width: width),
      section("Arguments:", command.positionals.map(Self.entry)),
      section("Options:", command.options.map(Self.entry)),
      section("Global options:", tool.globalOptions.map(Self.entry)),
    ])
  }

  // MARK: Parts

  private func usage(of command: Command) -> [String] {
    var words = [command.options.isEmpty ? nil : "[OPTION…]"].compactMap { $0 }
    for option in command.options where option.kind == .option(isRequired: true) {
      words.append("--\(option.name) \(option.placeholder)")
    }
    words += command.positionals.map(Self.synopsis)
    let start = "Usage: \(tool.name) \(command.name)"
    return TextWrapping.lines(words.joined(separator: " "), width: width - start.count - 1).enumerated().map {
      ($0.offset == 0 ? start : String(repeating: " ", count: start.count)) + " " + $0.element
    }.nonEmpty ?? [start]
  }

  /// `ID`, `[ID]`, `[ID…]` or `ID…`.
  private static func synopsis(_ positional: ParameterSpecification) -> String {
    guard case .positional(let arity) = positional.kind else { return positional.name }
    let name = arity.maximum == nil ? positional.name + "…" : positional.name
    return arity.minimum == 0 ? "[\(name)]" : name
  }

  private static func entry(_ parameter: ParameterSpecification) -> (String, String) {
    var help = parameter.help
    if !parameter.allowedValues.isEmpty {
      help += " One of: " + parameter.allowedValues.joined(separator: ", ") + "."
    }
    if parameter.kind == .repeatedOption { help += " Can be repeated." }
    guard !parameter.isPositional else { return (synopsis(parameter), help) }
    let short = parameter.short.map { "-\($0), " } ?? "    "
    let value = parameter.kind == .flag ? "" : " " + parameter.placeholder
    return (short + "--" + parameter.name + value, help)
  }

  /// A title and two columns; an entry that is too wide for its column has its explanation below.
  private func section(_ title: String, _ entries: [(term: String, help: String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    let column = min(26, entries.map { CellWidth.cells($0.term) }.max() ?? 0) + 4
    let indent = String(repeating: " ", count: column)
    var result = [title]
    for (term, help) in entries {
      var lines = TextWrapping.lines(help, width: width - column).map { indent + $0 }
      if CellWidth.cells(term) + 4 <= column, !lines.isEmpty {
        lines[0] = CellWidth.pad("  " + term, toCells: column) + lines[0].dropFirst(column)
      } else {
        lines.insert("  " + term, at: 0)
      }
      result += lines
    }
    return result
  }

  private func render(_ blocks: [[String]]) -> String {
    blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}

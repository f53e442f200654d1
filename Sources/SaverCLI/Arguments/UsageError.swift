internal import SaverText

/// A command line that cannot be understood, said in one sentence that names what is wrong.
package struct UsageError: Error, Hashable, Sendable {
  /// What is wrong and, where one is near, what may have been meant; without a full stop.
  package var message: String
  /// The command whose help to read; `nil` for the tool's own.
  package var command: String?

  package init(_ message: String, command: String? = nil) {
    self.message = message
    self.command = command
  }

  package var exitCode: ExitCode { .usage }

  /// The message and, on a second line, where to read more.
  package func text(tool: String) -> String {
    let help = ([tool, "help"] + (command.map { [$0] } ?? [])).joined(separator: " ")
    let end = message.hasSuffix("?") ? "" : "."
    return "\(message)\(end)\nSee '\(help)'."
  }

  /// What the user wrote, in quotes: on one line, harmless to a terminal, and not longer than a message should be.
  package static func quoted(_ text: String) -> String {
    "'" + CellWidth.truncate(VisibleText.escaped(text), toCells: 60) + "'"
  }
}

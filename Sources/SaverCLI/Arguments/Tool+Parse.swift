/// What a command line asks for.
package enum Invocation: Sendable {
  /// Help on a command, or on the tool.
  case help(Command?)
  case version
  case run(Command, ParsedArguments)
}

extension Tool {
  /// Reads the arguments that follow the program's name.
  ///
  /// - `--limit 5`, `--limit=5`, `-n 5`, `-n5`, `-n=5`; flags can be grouped (`-av`), and the last of a group may be an
  ///   option with its value.
  /// - `--` ends the options. `-` alone, and a minus sign before a digit, begin no option.
  /// - The value of an option that begins with a dash and could be an option is written `--title=-x`.
  /// - A global option may stand anywhere; an option of the command after it.
  /// - No command at all asks for help. So does `--help` or `-h` before `--`, whatever else is wrong.
  package func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    var scanner = ArgumentScanner(tool: self, arguments: arguments)
    do throws(UsageError) {
      return try scanner.scan()
    } catch {
      if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        return .help(scanner.command)
      }
      throw error
    }
  }
}

/// When output is coloured: the values of `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never
}

/// The colours of the tool's output, or none.
package struct TerminalStyle: Hashable, Sendable {
  /// What a piece of text is; its look follows.
  package enum Role: Sendable {
    case id
    case date
    case tag
    case heading
    case error

    /// The parameters of the escape sequence (SGR). Only the sixteen colours that every theme makes readable.
    fileprivate var parameters: String {
      switch self {
      case .id: "33"
      case .date: "36"
      case .tag: "32"
      case .heading: "1"
      case .error: "1;31"
      }
    }
  }

  package let isColored: Bool

  package init(isColored: Bool) {
    self.isColored = isColored
  }

  /// `always` and `never` decide; `auto` colours on a terminal, unless `NO_COLOR` holds anything (no-color.org) or
  /// `TERM` is `dumb`.
  package init(_ choice: ColorChoice, isTerminal: Bool, environment: Environment = .process) {
    switch choice {
    case .always: isColored = true
    case .never: isColored = false
    case .auto: isColored = isTerminal && environment.nonEmpty("NO_COLOR") == nil && environment["TERM"] != "dumb"
    }
  }

  /// The text in the role's colours; the text itself must be harmless already.
  package func apply(_ role: Role?, to text: String) -> String {
    guard isColored, let role, !text.isEmpty else { return text }
    return "\u{1B}[\(role.parameters)m\(text)\u{1B}[0m"
  }
}

/// What is known of an option, a flag or a positional argument: enough to parse it, to print its help, and to generate
/// completions and the reference. Commands declare the typed `Parameter`s, which carry one of these.
package struct ParameterSpecification: Sendable {
  package enum Kind: Hashable, Sendable {
    /// `--all`
    case flag
    /// `--limit COUNT`; the last one counts.
    case option(isRequired: Bool)
    /// `--tag TAG --tag TAG`; all count, in order.
    case repeatedOption
    /// `ID`; as many as the arity says.
    case positional(Arity)
  }

  /// How many values a positional argument takes.
  package struct Arity: Hashable, Sendable {
    package let minimum: Int
    /// `nil` is without limit.
    package let maximum: Int?

    static let one = Arity(minimum: 1, maximum: 1)
    static let optional = Arity(minimum: 0, maximum: 1)
  }

  /// The long name without dashes; of a positional argument, its placeholder.
  package let name: String
  package let short: Character?
  package let kind: Kind
  /// What stands for the value in help; empty for a flag.
  package let placeholder: String
  package let allowedValues: [String]
  /// One or a few sentences.
  package let help: String
  let read: @Sendable (String) throws(InvalidValue) -> any Sendable

  init<Value>(
    _ name: String, short: Character? = nil, kind: Kind, type: ArgumentType<Value>, help: String
  ) {
    self.name = name
    self.short = short
    self.kind = kind
    placeholder = type.placeholder
    allowedValues = type.allowedValues
    self.help = help
    let read = type.read
    self.read = { text throws(InvalidValue) in try read(text) }
  }

  package var isPositional: Bool {
    if case .positional = kind { true } else { false }
  }

  /// How messages name it: `'--limit'`, `ID`.
  var displayName: String {
    isPositional ? name : "'--\(name)'"
  }
}

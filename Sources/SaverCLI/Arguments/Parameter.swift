/// A parameter of a command, and the key to its value in `ParsedArguments`: its type says what the value is.
///
///     static let limit = Option("limit", short: "n", .wholeNumber("COUNT", in: 0...), help: "Shows at most COUNT items.")
///     …
///     let limit = arguments[Self.limit] ?? 50
package protocol Parameter: Sendable {
  var specification: ParameterSpecification { get }
}

/// An option without a value, `--all`; its value is whether it was given.
package struct Flag: Parameter {
  package let specification: ParameterSpecification

  package init(_ name: String, short: Character? = nil, help: String) {
    specification = ParameterSpecification(name, short: short, kind: .flag, type: .text(""), help: help)
  }
}

/// An option with a value, `--limit 5`; its value is `nil` when it was not given, the last one when it was repeated.
package struct Option<Value: Sendable>: Parameter {
  package let specification: ParameterSpecification

  package init(_ name: String, short: Character? = nil, _ type: ArgumentType<Value>, help: String) {
    specification = ParameterSpecification(
      name, short: short, kind: .option(isRequired: false), type: type, help: help)
  }
}

/// An option that must be given, `--to BACKEND`.
package struct RequiredOption<Value: Sendable>: Parameter {
  package let specification: ParameterSpecification

  package init(_ name: String, short: Character? = nil, _ type: ArgumentType<Value>, help: String) {
    specification = ParameterSpecification(
      name, short: short, kind: .option(isRequired: true), type: type, help: help)
  }
}

/// An option that may be given several times, `--tag a --tag b`; its value is all of them in order.
package struct RepeatedOption<Value: Sendable>: Parameter {
  package let specification: ParameterSpecification

  package init(_ name: String, short: Character? = nil, _ type: ArgumentType<Value>, help: String) {
    specification = ParameterSpecification(name, short: short, kind: .repeatedOption, type: type, help: help)
  }
}

/// A positional argument that must be there; messages and help name it by its type's placeholder.
package struct Argument<Value: Sendable>: Parameter {
  package let specification: ParameterSpecification

  package init(_ type: ArgumentType<Value>, help: String) {
    specification = ParameterSpecification(type.placeholder, kind: .positional(.one), type: type, help: help)
  }
}

/// A positional argument that may be left out.
package struct OptionalArgument<Value: Sendable>: Parameter {
  package let specification: ParameterSpecification

  package init(_ type: ArgumentType<Value>, help: String) {
    specification = ParameterSpecification(type.placeholder, kind: .positional(.optional), type: type, help: help)
  }
}

/// The last positional argument, which takes all values that are left, and at least `minimum`.
package struct RepeatedArgument<Value: Sendable>: Parameter {
  package let specification: ParameterSpecification

  package init(_ type: ArgumentType<Value>, minimum: Int = 0, help: String) {
    let arity = ParameterSpecification.Arity(minimum: minimum, maximum: nil)
    specification = ParameterSpecification(type.placeholder, kind: .positional(arity), type: type, help: help)
  }
}

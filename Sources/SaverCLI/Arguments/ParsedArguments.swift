/// The values of one command line, looked up by the parameters that declare them.
///
///     arguments[ListCommand.limit]    // Int?
///     arguments[ListCommand.tags]     // [String]
///     arguments[ListCommand.showsAll] // Bool
///
/// A parameter that the command does not declare counts as not given, so that code shared by commands can ask for it;
/// asking for a required one is a programming error.
package struct ParsedArguments: Sendable {
  /// Read values in the order of the command line, each with its parameter's name; a flag has an empty text for each time
  /// it was given. Few, and no dictionary: making its type is 4 % of `saver share`.
  private var values: [(parameter: String, value: any Sendable)] = []

  mutating func append(_ value: any Sendable, for parameter: ParameterSpecification) {
    values.append((parameter.name, value))
  }

  func has(_ parameter: ParameterSpecification) -> Bool {
    values.contains { $0.parameter == parameter.name }
  }

  package subscript(flag: Flag) -> Bool {
    has(flag.specification)
  }

  package subscript<Value>(option: Option<Value>) -> Value? {
    all(option, of: Value.self).last
  }

  package subscript<Value>(option: RequiredOption<Value>) -> Value {
    required(option, of: Value.self)
  }

  package subscript<Value>(option: RepeatedOption<Value>) -> [Value] {
    all(option, of: Value.self)
  }

  package subscript<Value>(argument: Argument<Value>) -> Value {
    required(argument, of: Value.self)
  }

  package subscript<Value>(argument: OptionalArgument<Value>) -> Value? {
    all(argument, of: Value.self).last
  }

  package subscript<Value>(argument: RepeatedArgument<Value>) -> [Value] {
    all(argument, of: Value.self)
  }

  private func all<Value>(_ parameter: some Parameter, of type: Value.Type) -> [Value] {
    let name = parameter.specification.name
    return values.compactMap { $0.parameter == name ? $0.value as? Value : nil }
  }

  private func required<Value>(_ parameter: some Parameter, of type: Value.Type) -> Value {
    guard let value = all(parameter, of: type).last else {
      preconditionFailure("The command does not declare \(parameter.specification.displayName)")
    }
    return value
  }
}

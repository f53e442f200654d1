/// How one argument's text becomes a value: what help calls it, which texts are allowed, and how they are read.
///
/// Commands use the factories (`.text("TITLE")`, `.wholeNumber("COUNT", in: 1...)`, `.choice(Format.self)`); a type of
/// their own is one more static function.
package struct ArgumentType<Value: Sendable>: Sendable {
  /// What stands for the value in help, in capitals.
  package let placeholder: String
  /// All texts that are allowed, where they can be listed; else empty.
  package let allowedValues: [String]
  /// Reads the value.
  package let read: @Sendable (String) throws(InvalidValue) -> Value

  package init(
    _ placeholder: String, allowedValues: [String] = [],
    read: @escaping @Sendable (String) throws(InvalidValue) -> Value
  ) {
    self.placeholder = placeholder
    self.allowedValues = allowedValues
    self.read = read
  }
}

/// Why a text is not a value; `reason` goes on after "invalid value 'x' for '--limit': ".
package struct InvalidValue: Error, Hashable, Sendable {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}

extension ArgumentType<String> {
  /// Any text.
  package static func text(_ placeholder: String = "TEXT") -> Self {
    ArgumentType(placeholder) { text throws(InvalidValue) in text }
  }

  /// Any text but the empty one.
  package static func nonEmptyText(_ placeholder: String = "TEXT") -> Self {
    ArgumentType(placeholder) { text throws(InvalidValue) in
      if text.isEmpty { throw InvalidValue("it is empty") }
      return text
    }
  }

  /// One of a few words that are known only when the program runs.
  package static func choice(_ placeholder: String, of words: [String]) -> Self {
    ArgumentType(placeholder, allowedValues: words) { text throws(InvalidValue) in
      guard words.contains(text) else { throw .notOneOf(words) }
      return text
    }
  }
}

extension ArgumentType<Int> {
  /// A whole number in decimal digits.
  package static func wholeNumber(
    _ placeholder: String = "NUMBER", in range: some RangeExpression<Int> & Sendable = Int.min...Int.max
  ) -> Self {
    ArgumentType(placeholder) { text throws(InvalidValue) in
      guard let number = Int(text) else { throw InvalidValue("expected a whole number") }
      guard range.contains(number) else { throw InvalidValue("expected \(Self.describe(range))") }
      return number
    }
  }

  private static func describe(_ range: some RangeExpression<Int>) -> String {
    let bounds = range.relative(to: Int.min..<Int.max)
    return bounds.upperBound == Int.max
      ? "a number not below \(bounds.lowerBound)" : "a number from \(bounds.lowerBound) to \(bounds.upperBound - 1)"
  }
}

extension ArgumentType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of an enumeration's cases, by its raw value.
  package static func choice(_ type: Value.Type, _ placeholder: String) -> Self {
    let words = Value.allCases.map(\.rawValue)
    return ArgumentType(placeholder, allowedValues: words) { text throws(InvalidValue) in
      guard let value = Value(rawValue: text) else { throw .notOneOf(words) }
      return value
    }
  }
}

extension InvalidValue {
  static func notOneOf(_ words: [String]) -> InvalidValue {
    InvalidValue("expected one of " + words.joined(separator: ", "))
  }
}

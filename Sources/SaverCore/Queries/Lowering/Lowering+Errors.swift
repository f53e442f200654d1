import FoundationEssentials

extension Lowering {
  /// An error at an expression: names it, and the first key path and the first field within it.
  func error(_ expression: any PredicateExpression, _ message: String) -> LoweringError {
    let keyPaths = keyPaths(in: expression)
    return LoweringError(
      node: Self.name(of: expression), keyPath: keyPaths.first.map { "\($0)" },
      field: keyPaths.lazy.compactMap { type.column(at: $0) }.first.map { type.name(ofColumn: $0) }, message: message)
  }

  /// The name of an expression's kind, without its generic arguments.
  private static func name(of expression: any PredicateExpression) -> String {
    String(String(describing: Swift.type(of: expression)).prefix { $0 != "<" })
  }

  /// The key paths from the record in an expression, each followed by its beginnings.
  private func keyPaths(in expression: any PredicateExpression) -> [AnyKeyPath] {
    let path = (expression as? any KeyPathExpression)?.path(from: record)
    return (path.map { [$0] } ?? []) + Self.parts(of: expression).flatMap { keyPaths(in: $0) }
  }

  /// The expressions that an expression is made of, whatever its kind.
  static func parts(of expression: any PredicateExpression) -> [any PredicateExpression] {
    Mirror(reflecting: expression).children.compactMap { $0.value as? any PredicateExpression }
  }

  /// What to write instead of an expression that cannot be lowered.
  static func remedy(for expression: any PredicateExpression) -> String {
    switch name(of: expression) {
    case "ForcedUnwrap": "it fails where the field is nil; use ?. or ??"
    case "SequenceContainsWhere", "SequenceAllSatisfy", "Filter":
      "a filter has no closures over lists; ask for an element with contains, or filter the fetched records"
    case "StringContainsRegex": "a filter has no regular expressions; use contains or starts(with:), or a search"
    case "CollectionIndexSubscript", "CollectionRangeSubscript", "DictionaryKeySubscript",
      "DictionaryKeyDefaultValueSubscript":
      "a filter sees whole values only; use contains or starts(with:), or make the part a field of its own"
    case "ConditionalCast", "ForceCast", "TypeCheck": "a field has one type; leave the cast out"
    case "FloatDivision": Self.arithmeticRemedy
    case "SequenceMinimum", "SequenceMaximum": "make the value a field of its own"
    default: "a filter cannot say it; filter the fetched records"
    }
  }

  static let arithmeticRemedy = "a filter does not compute; bring the arithmetic to the constant's side"
}

/// A condition on records: the only form in which a condition crosses an engine's boundary.
///
/// The tree defines the meaning; every engine gives the same answer, and `SaverCore` evaluates what one cannot:
/// - A text compares and sorts by its UTF-8 bytes, which is the order of its Unicode scalars. `contains`, `hasPrefix` and
///   `hasSuffix` compare bytes too: case counts, and composed and decomposed forms differ. ``search(_:_:)`` is the one
///   that is blind to both.
/// - Logic is two-valued, as in Swift: `<`, `<=`, `>`, `>=` with a null on either side are false; `== nil` is true of a
///   null and of nothing else; `!= x` is true of a null. Text conditions on a null are false.
/// - In sorting, null comes before every value.
///
/// Fields are named by their columns. Which fields exist and which types they have is checked when a query meets a
/// record type (``CompiledFilter``), not here.
public indirect enum Filter: Hashable, Sendable {
  case constant(Bool)
  case not(Filter)
  /// All of them; true of an empty list.
  case and([Filter])
  /// At least one; false of an empty list.
  case or([Filter])

  /// The field against a constant of its type. Lists of texts know only `==` and `!=`.
  case compare(String, Comparison, StoredValue)
  /// Two fields of one type.
  case compareFields(String, Comparison, String)
  /// The number of Characters of a text, of elements of a list, of bytes of a blob. A null has none: only `!=` is true.
  case count(String, Comparison, Int)
  /// The field equals one of the constants; a null does if the list has a null.
  case isIn(String, [StoredValue])

  case contains(String, String)
  case hasPrefix(String, String)
  case hasSuffix(String, String)
  /// A list of texts has this element.
  case hasElement(String, String)

  /// Every word of the query occurs in one of the fields (texts and lists of texts), as a part, blind to case and accents:
  /// full case folding, marks stripped, NFKC, and characters without a shape of their own (joiners, zero-width spaces)
  /// dropped. Words are parted by white space and may be found in different fields; a word of which nothing is left is
  /// none. A query without a word is true of everything.
  case search([String], String)
}

/// How a field is compared.
public enum Comparison: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The comparison that is true with the sides exchanged.
  public var flipped: Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether the comparison holds for two values whose order is `order`: negative, zero, positive.
  @inlinable public func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

extension Filter {
  public static func && (first: Filter, second: Filter) -> Filter { .and(first.conjuncts + second.conjuncts) }

  public static func || (first: Filter, second: Filter) -> Filter {
    switch (first, second) {
    case (.or(let one), .or(let other)): .or(one + other)
    case (.or(let one), _): .or(one + [second])
    default: .or([first, second])
    }
  }

  public static prefix func ! (filter: Filter) -> Filter {
    switch filter {
    case .constant(let value): .constant(!value)
    case .not(let inner): inner
    default: .not(filter)
    }
  }

  /// The conditions that must all hold: an engine pushes down those that it can, one by one.
  public var conjuncts: [Filter] {
    switch self {
    case .constant(true): []
    case .and(let filters): filters.flatMap(\.conjuncts)
    default: [self]
    }
  }
}

extension Filter: CustomStringConvertible {
  public var description: String {
    switch self {
    case .constant(let value): "\(value)"
    case .not(let filter): "not(\(filter))"
    case .and(let filters): "(" + filters.map(\.description).joined(separator: " and ") + ")"
    case .or(let filters): "(" + filters.map(\.description).joined(separator: " or ") + ")"
    case .compare(let field, let comparison, let value): "\(field) \(comparison.rawValue) \(value)"
    case .compareFields(let field, let comparison, let other): "\(field) \(comparison.rawValue) \(other)"
    case .count(let field, let comparison, let count): "count(\(field)) \(comparison.rawValue) \(count)"
    case .isIn(let field, let values): "\(field) in \(values)"
    case .contains(let field, let text): "\(field) contains \"\(text)\""
    case .hasPrefix(let field, let text): "\(field) hasPrefix \"\(text)\""
    case .hasSuffix(let field, let text): "\(field) hasSuffix \"\(text)\""
    case .hasElement(let field, let text): "\(field) hasElement \"\(text)\""
    case .search(let fields, let query): "search(\(fields.joined(separator: ", ")); \"\(query)\")"
    }
  }
}

extension Filter {
  /// `test ? then : otherwise`, as briefly as the constants among them allow.
  static func choice(_ test: Filter, then: Filter, otherwise: Filter) -> Filter {
    switch (test, then, otherwise) {
    case (.constant(let value), _, _): value ? then : otherwise
    case (_, .constant(true), .constant(true)): .constant(true)
    case (_, .constant(false), .constant(false)): .constant(false)
    case (_, .constant(true), _): test.or(otherwise)
    case (_, .constant(false), _): test.complement.and(otherwise)
    // `f != nil and …` says nothing more where the rest is false of null anyway: a plain comparison finds its index.
    case (_, _, .constant(let value)) where test.testedField.flatMap { then.value(whereNull: $0) } == value: then
    case (_, _, .constant(true)): test.complement.or(then)
    case (_, _, .constant(false)): test.and(then)
    default: test.and(then).or(test.complement.and(otherwise))
    }
  }

  /// Conjunction without needless constants.
  func and(_ other: Filter) -> Filter {
    switch (self, other) {
    case (.constant(true), _): other
    case (_, .constant(true)): self
    case (.constant(false), _), (_, .constant(false)): .constant(false)
    default: self && other
    }
  }

  /// Disjunction without needless constants.
  func or(_ other: Filter) -> Filter {
    switch (self, other) {
    case (.constant(false), _): other
    case (_, .constant(false)): self
    case (.constant(true), _), (_, .constant(true)): .constant(true)
    default: self || other
    }
  }

  /// True exactly where the filter is false: `==` and `!=` are complements with null too, `<` and `>=` are not.
  var complement: Filter {
    switch self {
    case .compare(let field, .equal, let value): .compare(field, .notEqual, value)
    case .compare(let field, .notEqual, let value): .compare(field, .equal, value)
    case .compareFields(let field, .equal, let other): .compareFields(field, .notEqual, other)
    case .compareFields(let field, .notEqual, let other): .compareFields(field, .equal, other)
    case .count(let field, .equal, let count): .count(field, .notEqual, count)
    case .count(let field, .notEqual, let count): .count(field, .equal, count)
    default: !self
    }
  }

  /// The field of a filter `field != nil`.
  private var testedField: String? {
    if case .compare(let field, .notEqual, .null) = self { field } else { nil }
  }

  /// What the filter is of a record whose `field` is null, if that alone decides it.
  private func value(whereNull field: String) -> Bool? {
    switch self {
    case .constant(let value): value
    case .not(let inner): inner.value(whereNull: field).map { !$0 }
    case .and(let parts): Self.value(of: parts.map { $0.value(whereNull: field) }, decidedBy: false)
    case .or(let parts): Self.value(of: parts.map { $0.value(whereNull: field) }, decidedBy: true)
    case .compare(field, .equal, let value): value == .null
    case .compare(field, .notEqual, let value): value != .null
    case .count(field, .notEqual, _): true
    case .isIn(field, let values): values.contains(.null)
    case .compare(field, _, _), .count(field, _, _), .contains(field, _), .hasPrefix(field, _), .hasSuffix(field, _),
      .hasElement(field, _):
      false
    case .compare, .compareFields, .count, .isIn, .contains, .hasPrefix, .hasSuffix, .hasElement, .search: nil
    }
  }

  /// The value of a conjunction (`decidedBy: false`) or disjunction (`decidedBy: true`) of parts, some unknown.
  private static func value(of parts: [Bool?], decidedBy decisive: Bool) -> Bool? {
    if parts.contains(decisive) { return decisive }
    return parts.contains(nil) ? nil : !decisive
  }
}

/// What an expression of a predicate is worth, as far as a filter can say it.
///
/// An expression whose value depends on the record in more than one way (`title?.count`, `rank ?? 0`, `? :`) is a tree of
/// choices. Operators go down to the leaves, and choices between conditions become one filter again; so `nil` needs no
/// rules but those of ``Filter`` itself.
indirect enum Operand {
  case null
  /// Not an optional, and independent of the record.
  case constant(Any)
  case field(String)
  /// The number of parts of a field's value.
  case count(String)
  case condition(Filter)
  case choice(Filter, then: Operand, otherwise: Operand)

  init(_ value: Any) {
    guard let optional = value as? any OptionalValue else {
      self = .constant(value)
      return
    }
    self = optional.wrappedValue.map { Operand($0) } ?? .null
  }

  init(_ filter: Filter) {
    if case .constant(let value) = filter { self = .constant(value) } else { self = .condition(filter) }
  }

  var isConstant: Bool {
    switch self {
    case .null, .constant: true
    case .field, .count, .condition, .choice: false
    }
  }

  /// Replaces every leaf.
  func mapLeaves(_ transform: (Operand) throws -> Operand) rethrows -> Operand {
    guard case .choice(let condition, let then, let otherwise) = self else { return try transform(self) }
    return .choice(condition, then: try then.mapLeaves(transform), otherwise: try otherwise.mapLeaves(transform))
  }

  /// Makes a condition of every leaf, and one filter of them all.
  func filter(_ condition: (Operand) throws -> Filter) rethrows -> Filter {
    guard case .choice(let test, let then, let otherwise) = self else { return try condition(self) }
    return .choice(test, then: try then.filter(condition), otherwise: try otherwise.filter(condition))
  }
}

/// Any `Optional`, seen through `Any`.
private protocol OptionalValue {
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  var wrappedValue: Any? { self }
}

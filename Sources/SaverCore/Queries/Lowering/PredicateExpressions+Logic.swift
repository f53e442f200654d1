import FoundationEssentials

extension PredicateExpressions.Conjunction: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let first = try lowering.filter(lhs)
    if first == .constant(false) { return .constant(false) }
    return Operand(first.and(try lowering.filter(rhs)))
  }
}

extension PredicateExpressions.Disjunction: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let first = try lowering.filter(lhs)
    if first == .constant(true) { return .constant(true) }
    return Operand(first.or(try lowering.filter(rhs)))
  }
}

extension PredicateExpressions.Negation: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let filter = try lowering.operand(wrapped).filter { leaf in
      switch leaf {
      case .condition(let filter): filter.complement
      case .field(let field): .compare(field, .equal, .bool(false))
      case .constant(let value as Bool): .constant(!value)
      case .null, .constant, .count, .choice: throw lowering.error(self, "it is no condition")
      }
    }
    return Operand(filter)
  }
}

/// `? :`, and `if` with `else`.
extension PredicateExpressions.Conditional: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let test = try lowering.filter(test)
    if case .constant(let value) = test {
      return try value ? lowering.operand(trueBranch) : lowering.operand(falseBranch)
    }
    let (then, otherwise) = (try lowering.operand(trueBranch), try lowering.operand(falseBranch))
    return .choice(test, then: then, otherwise: otherwise)
  }
}

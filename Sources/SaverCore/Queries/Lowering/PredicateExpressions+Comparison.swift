import FoundationEssentials

extension PredicateExpressions.Equal: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let (first, second) = (try lowering.operand(lhs), try lowering.operand(rhs))
    if first.isConstant && second.isConstant, let value = try lowering.constant(self) { return value }
    return Operand(try lowering.compare(first, .equal, second, at: self))
  }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let (first, second) = (try lowering.operand(lhs), try lowering.operand(rhs))
    if first.isConstant && second.isConstant, let value = try lowering.constant(self) { return value }
    return Operand(try lowering.compare(first, .notEqual, second, at: self))
  }
}

extension PredicateExpressions.Comparison: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let (first, second) = (try lowering.operand(lhs), try lowering.operand(rhs))
    if first.isConstant && second.isConstant, let value = try lowering.constant(self) { return value }
    try lowering.checkOrder(of: LHS.Output.self, at: self)
    return Operand(try lowering.compare(first, comparison(in: lowering), second, at: self))
  }

  private func comparison(in lowering: Lowering) throws -> Comparison {
    switch op {
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    @unknown default: throw lowering.error(self, "the operator is not known")
    }
  }
}

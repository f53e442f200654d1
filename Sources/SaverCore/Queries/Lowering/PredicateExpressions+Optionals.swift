import FoundationEssentials

/// `?.`, `flatMap`, and `if let`.
extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    try lowering.operand(wrapped).mapLeaves { leaf in
      if case .null = leaf { return .null }
      let transformed = try lowering.binding(variable, to: leaf).operand(transform)
      guard case .field(let field) = leaf else { return transformed }
      return .choice(.compare(field, .notEqual, .null), then: transformed, otherwise: .null)
    }
  }
}

/// `??`.
extension PredicateExpressions.NilCoalesce: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    try lowering.operand(lhs).mapLeaves { leaf in
      switch leaf {
      case .null: try lowering.operand(rhs)
      case .field(let field):
        .choice(.compare(field, .notEqual, .null), then: leaf, otherwise: try lowering.operand(rhs))
      case .constant, .count, .condition, .choice: leaf
      }
    }
  }
}

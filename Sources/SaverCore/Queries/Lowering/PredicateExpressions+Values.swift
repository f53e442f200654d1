import FoundationEssentials

extension PredicateExpressions.Value: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand { Operand(value) }
}

extension PredicateExpressions.NilLiteral: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand { .null }
}

extension PredicateExpressions.Variable: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    if let operand = lowering.operand(of: key) { return operand }
    throw lowering.error(self, "the record itself is no value; name one of its fields")
  }
}

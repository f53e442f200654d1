import FoundationEssentials

/// `contains` of a text.
extension PredicateExpressions.CollectionContainsCollection: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let (text, part) = (try lowering.operand(base), try lowering.operand(other))
    if text.isConstant && part.isConstant, let value = try lowering.constant(self) { return value }
    guard Base.Output.self == String.self else { throw lowering.error(self, "only a text can be asked for a part") }
    let filter = try lowering.text(text, part, at: self) { field, part in
      .contains(field, part)
    } evaluate: {
      $0.contains($1)
    }
    return Operand(filter)
  }
}

extension PredicateExpressions.SequenceStartsWith: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let (text, prefix) = (try lowering.operand(base), try lowering.operand(prefix))
    if text.isConstant && prefix.isConstant, let value = try lowering.constant(self) { return value }
    guard Base.Output.self == String.self else { throw lowering.error(self, "only a text can be asked for a prefix") }
    let filter = try lowering.text(text, prefix, at: self) { field, prefix in
      .hasPrefix(field, prefix)
    } evaluate: {
      $0.starts(with: $1)
    }
    return Operand(filter)
  }
}

extension Lowering {
  /// A condition on a text and a constant part: as a filter where the text is a field, on bytes where it is a constant.
  fileprivate func text(
    _ text: Operand, _ part: Operand, at expression: any PredicateExpression,
    filter: (_ field: String, _ part: String) -> Filter,
    evaluate: (_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool
  ) throws -> Filter {
    try text.filter { text in
      try part.filter { part in
        guard case .constant(var part as String) = part else {
          throw error(expression, "the part that is looked for must be a constant text")
        }
        switch text {
        case .field(let field): return filter(field, part)
        case .constant(var text as String):
          return .constant(
            text.withUTF8 { text in
              part.withUTF8 { evaluate(UnsafeRawBufferPointer(text), UnsafeRawBufferPointer($0)) }
            })
        case .null, .constant, .count, .condition, .choice: throw error(expression, "only a text has parts")
        }
      }
    }
  }
}

import FoundationEssentials

/// `contains` of an element: of a list of texts, of a text (a Character), or of a captured list.
extension PredicateExpressions.SequenceContains: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let sequence = try lowering.operand(sequence)
    let element = try lowering.operand(element)
    if sequence.isConstant && element.isConstant, let value = try lowering.constant(self) { return value }
    let filter = try sequence.filter { sequence in
      try element.filter { element in try contains(sequence, element, in: lowering) }
    }
    return Operand(filter)
  }

  private func contains(_ sequence: Operand, _ element: Operand, in lowering: Lowering) throws -> Filter {
    switch (sequence, element) {
    case (.constant(let range as any ConstantRange), _): return try lowering.contains(range, element, at: self)
    case (.constant(let list as any Sequence), _):
      return try Self.contains(Self.elements(list), element, in: lowering, at: self)
    case (.field(let field), .constant(let text as String)) where LHS.Output.self == [String].self:
      return .hasElement(field, text)
    case (.field(let field), .constant(let character as Character)) where LHS.Output.self == String.self:
      return .contains(field, String(character))
    default:
      throw lowering.error(self, "a field can be asked for a constant text, and a captured list for a field")
    }
  }

  private static func contains(
    _ list: [Any], _ element: Operand, in lowering: Lowering, at expression: any PredicateExpression
  ) throws -> Filter {
    if list.isEmpty { return .constant(false) }
    if case .field(let field) = element {
      return .isIn(field, try list.map { try lowering.storedValue(Operand($0), at: expression) })
    }
    return try list.reduce(.constant(false)) { filter, value in
      filter.or(try lowering.compare(element, .equal, Operand(value), at: expression))
    }
  }

  /// The elements; those of a set, which has them in another order each time, in the order of their values.
  private static func elements<List: Sequence>(_ list: List) -> [Any] {
    if list is any RandomAccessCollection { return Array(list) }
    return Array(list).sorted { first, second in
      guard let first = first as? any FieldValue, let second = second as? any FieldValue else { return false }
      let (one, other) = (first.storedValue, second.storedValue)
      return one == .null ? other != .null : StoredValue.holds(one, .less, other)
    }
  }
}

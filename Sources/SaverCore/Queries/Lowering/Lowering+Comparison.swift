import FoundationEssentials

extension Lowering {
  /// Compares two operands, leaf by leaf.
  func compare(
    _ first: Operand, _ comparison: Comparison, _ second: Operand, at expression: any PredicateExpression
  ) throws -> Filter {
    switch (first, second) {
    case (.choice, _): try first.filter { try compare($0, comparison, second, at: expression) }
    case (.condition(let filter), _):
      .choice(
        filter, then: try compare(.constant(true), comparison, second, at: expression),
        otherwise: try compare(.constant(false), comparison, second, at: expression))
    case (_, .choice), (_, .condition): try compare(second, comparison.flipped, first, at: expression)
    case (.field(let field), .field(let other)): .compareFields(field, comparison, other)
    case (.count, .field), (.field, .count), (.count, .count):
      throw error(expression, "a count can be compared with a constant only; make the count a field of its own")
    case (.count, .null): .constant(comparison == .notEqual)
    case (.count(let field), .constant(let count as Int)): .count(field, comparison, count)
    case (.count, .constant): throw error(expression, "a count can be compared with an Int only")
    case (.field(let field), _): .compare(field, comparison, try storedValue(second, at: expression))
    case (_, .field), (_, .count): try compare(second, comparison.flipped, first, at: expression)
    default:
      .constant(
        StoredValue.holds(try storedValue(first, at: expression), comparison, try storedValue(second, at: expression)))
    }
  }

  /// A constant operand as the constant of a filter.
  func storedValue(_ operand: Operand, at expression: any PredicateExpression) throws -> StoredValue {
    switch operand {
    case .null: return .null
    case .constant(let value as any FieldValue): return value.storedValue
    case .constant(let value):
      throw error(expression, "a constant of type \(Swift.type(of: value)) is no value of a field")
    case .field, .count, .condition, .choice: throw error(expression, "a constant is wanted here")
    }
  }

  /// - Throws: ``LoweringError`` if values of this type may have another order in a program than in a store.
  func checkOrder<Value>(of type: Value.Type, at expression: any PredicateExpression) throws {
    let isOrdered =
      if type is any RawRepresentable.Type {
        (type as? any (CaseIterable & Comparable & FieldValue).Type).map { $0.casesOrderAsStored } ?? false
      } else {
        (type as? any OrderedFieldValue.Type)?.ordersAsStored ?? false
      }
    guard isOrdered else {
      throw error(
        expression,
        "the order of \(type) is not proved to be the order of its stored values, as it is for an enumeration that is "
          + "CaseIterable and has its cases in the order of their raw values; compare with ==, or use contains of a list"
      )
    }
  }
}

extension StoredValue {
  /// Compares two constants of one type by the rules of ``Filter``.
  static func holds(_ first: StoredValue, _ comparison: Comparison, _ second: StoredValue) -> Bool {
    if first == .null && second == .null { return comparison == .equal }
    let (one, other) = (EncodedValue(first), EncodedValue(second))
    return withExtendedLifetime((one, other)) {
      guard let order = Slot.order(one.slot, other.slot) else { return comparison == .notEqual }
      return comparison.holds(order)
    }
  }
}

import FoundationEssentials

/// An expression that may be a key path from the record, of any length.
protocol KeyPathExpression {
  func path(from record: PredicateExpressions.VariableID) -> AnyKeyPath?
}

extension PredicateExpressions.KeyPath: KeyPathExpression {
  func path(from record: PredicateExpressions.VariableID) -> AnyKeyPath? {
    if isRecord(root, record) { return keyPath }
    return (root as? any KeyPathExpression)?.path(from: record)?.appending(path: keyPath)
  }

  private func isRecord(_ root: Root, _ record: PredicateExpressions.VariableID) -> Bool {
    (root as? any VariableExpression)?.key == record
  }
}

private protocol VariableExpression {
  var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: VariableExpression {}

extension PredicateExpressions.KeyPath: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    if let path = path(from: lowering.record), let column = lowering.type.column(at: path) {
      return .field(lowering.type.name(ofColumn: column))
    }
    if isRecord(root, lowering.record) {
      throw lowering.error(self, "it is no field of the schema; make it one, or filter the fetched records")
    }
    return try lowering.operand(root).mapLeaves { leaf in
      switch leaf {
      case .constant(let value as Root.Output): Operand(value[keyPath: keyPath as Swift.KeyPath<Root.Output, Output>])
      case .field(let field): try property(of: field, in: lowering)
      case .null, .constant, .count, .condition, .choice: throw refusal(in: lowering)
      }
    }
  }

  /// A property of a field's value: its number of parts, or its raw value, which is what the store holds.
  private func property(of field: String, in lowering: Lowering) throws -> Operand {
    let property: AnyKeyPath = keyPath
    if [\String.count, \[String].count, \Data.count].contains(property) { return .count(field) }
    if property == \String.isEmpty { return .condition(.compare(field, .equal, .text(""))) }
    if property == \[String].isEmpty || property == \Data.isEmpty { return .condition(.count(field, .equal, 0)) }
    if let type = Root.Output.self as? any (CaseIterable & FieldValue).Type, Self.isStoredValue(property, of: type) {
      return .field(field)
    }
    throw refusal(in: lowering)
  }

  /// Proves on every case that a property is what the store holds: a `\.rawValue` cannot be told by its key path, which
  /// is another one for each type.
  private static func isStoredValue<Value: CaseIterable & FieldValue>(
    _ property: AnyKeyPath, of type: Value.Type
  ) -> Bool {
    Value.allCases.allSatisfy { value in
      guard let property = value[keyPath: property] as? any FieldValue else { return false }
      return StoredValue.holds(property.storedValue, .equal, value.storedValue)
    }
  }

  private func refusal(in lowering: Lowering) -> LoweringError {
    let isEnumeration = Root.Output.self is any RawRepresentable.Type
    return lowering.error(
      self,
      isEnumeration
        ? "\(keyPath) is not proved to be the raw value; make \(Root.Output.self) CaseIterable, or compare the case itself"
        : "a filter does not know the property \(keyPath); make it a field, or filter the fetched records")
  }
}

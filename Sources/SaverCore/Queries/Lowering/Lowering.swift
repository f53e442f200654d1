import FoundationEssentials

/// One pass over a predicate, which says its expressions as operands of filters.
///
/// Each expression lowers its parts first and is evaluated where all of them are constants, so that a part that Swift
/// would not reach (behind `&&`, in the other branch) is not looked at, and none that traps is evaluated.
struct Lowering {
  let type: RecordType
  /// The variable that stands for the record.
  let record: PredicateExpressions.VariableID
  /// The other variables: those of optional chains.
  private var operands: [PredicateExpressions.VariableID: Operand] = [:]
  /// Those among them that are constants, for evaluating what is made of them.
  private(set) var bindings = PredicateBindings()

  init(_ type: RecordType, record: PredicateExpressions.VariableID) {
    self.type = type
    self.record = record
  }

  func operand(of variable: PredicateExpressions.VariableID) -> Operand? { operands[variable] }

  /// The same pass with one more variable.
  func binding<Value>(_ variable: PredicateExpressions.Variable<Value>, to operand: Operand) -> Lowering {
    var lowering = self
    lowering.operands[variable.key] = operand
    if case .constant(let value as Value) = operand { lowering.bindings[variable] = value }
    return lowering
  }

  func operand(_ expression: some PredicateExpression) throws -> Operand {
    if let lowerable = expression as? any LowerableExpression { return try lowerable.operand(in: self) }
    try checkTraps(in: expression)
    if let constant = try constant(expression) { return constant }
    throw error(expression, Self.remedy(for: expression))
  }

  /// The expression as a condition.
  func filter(_ expression: some PredicateExpression) throws -> Filter {
    try operand(expression).filter { leaf in
      switch leaf {
      case .condition(let filter): filter
      case .field(let field): .compare(field, .equal, .bool(true))
      case .constant(let value as Bool): .constant(value)
      case .null, .constant, .count, .choice: throw error(expression, "it is no condition")
      }
    }
  }

  /// The value of an expression that does not depend on the record; `nil` if it does.
  ///
  /// - Throws: ``LoweringError`` if it has no value: a forced unwrap of `nil`, an index out of bounds.
  func constant(_ expression: some PredicateExpression) throws -> Operand? {
    do {
      return Operand(try expression.evaluate(bindings))
    } catch let failure as PredicateError where failure.isUndefinedVariable {
      return nil
    } catch {
      throw self.error(expression, "it is a constant, and evaluating it fails: \(error)")
    }
  }
}

/// An expression of a predicate that can be said as an operand of a filter.
protocol LowerableExpression: PredicateExpression {
  func operand(in lowering: Lowering) throws -> Operand
}

extension PredicateError {
  /// Told by what it is not: in Swift 6.3, `==` with `.undefinedVariable` on its left compares with itself for ever.
  fileprivate var isUndefinedVariable: Bool {
    let others: [PredicateError] = [.forceUnwrapFailure, .forceCastFailure, .invalidInput]
    return !others.contains { other in other == self }
  }
}

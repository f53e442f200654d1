import FoundationEssentials

/// An expression that would trap on some constants where Swift's own evaluation has no error for it.
protocol TrappingExpression: LowerableExpression {
  /// Why the expression has no value; `nil` if it has one, or depends on the record.
  func trap(in lowering: Lowering) throws -> String?
}

extension Lowering {
  /// Looks for a trap anywhere in an expression that is going to be evaluated as a whole.
  func checkTraps(in expression: any PredicateExpression) throws {
    for part in Self.parts(of: expression) { try checkTraps(in: part) }
    if let trapping = expression as? any TrappingExpression, let reason = try trapping.trap(in: self) {
      throw error(expression, reason)
    }
  }

  /// The value of an arithmetic expression of constants.
  fileprivate func arithmetic(_ expression: some TrappingExpression) throws -> Operand {
    try checkTraps(in: expression)
    if let value = try constant(expression) { return value }
    throw error(expression, Self.arithmeticRemedy)
  }

  /// Whether an operation on two integers overflows; `nil` if one is none, or depends on the record.
  fileprivate func overflow(
    _ first: some PredicateExpression, _ second: some PredicateExpression, _ operation: IntegerOperation
  ) throws -> Bool? {
    guard case .constant(let first as any FixedWidthInteger)? = try constant(first),
      case .constant(let second)? = try constant(second)
    else { return nil }
    return operation.overflows(first, second)
  }
}

private enum IntegerOperation {
  case add, subtract, multiply, divide, remainder

  func overflows<Integer: FixedWidthInteger>(_ first: Integer, _ second: Any) -> Bool? {
    guard let second = second as? Integer else { return nil }
    return switch self {
    case .add: first.addingReportingOverflow(second).overflow
    case .subtract: first.subtractingReportingOverflow(second).overflow
    case .multiply: first.multipliedReportingOverflow(by: second).overflow
    case .divide: first.dividedReportingOverflow(by: second).overflow
    case .remainder: first.remainderReportingOverflow(dividingBy: second).overflow
    }
  }
}

extension PredicateExpressions.Arithmetic: LowerableExpression, TrappingExpression {
  func operand(in lowering: Lowering) throws -> Operand { try lowering.arithmetic(self) }

  func trap(in lowering: Lowering) throws -> String? {
    let operation: IntegerOperation? =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: nil
      }
    guard let operation else { throw lowering.error(self, "the operator is not known") }
    return try lowering.overflow(lhs, rhs, operation) == true ? "it is a constant that overflows" : nil
  }
}

extension PredicateExpressions.IntDivision: LowerableExpression, TrappingExpression {
  func operand(in lowering: Lowering) throws -> Operand { try lowering.arithmetic(self) }

  func trap(in lowering: Lowering) throws -> String? {
    try lowering.overflow(lhs, rhs, .divide) == true ? "it is a constant that divides by zero, or overflows" : nil
  }
}

extension PredicateExpressions.IntRemainder: LowerableExpression, TrappingExpression {
  func operand(in lowering: Lowering) throws -> Operand { try lowering.arithmetic(self) }

  func trap(in lowering: Lowering) throws -> String? {
    try lowering.overflow(lhs, rhs, .remainder) == true ? "it is a constant that divides by zero, or overflows" : nil
  }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression, TrappingExpression {
  func operand(in lowering: Lowering) throws -> Operand { try lowering.arithmetic(self) }

  func trap(in lowering: Lowering) throws -> String? {
    guard case .constant(let value as any FixedWidthInteger)? = try lowering.constant(wrapped) else { return nil }
    return Self.isMinimum(value) ? "it is a constant that overflows" : nil
  }

  private static func isMinimum<Integer: FixedWidthInteger>(_ value: Integer) -> Bool {
    Integer.isSigned && value == Integer.min
  }
}

import FoundationEssentials

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    let range = try lowering.operand(range)
    let element = try lowering.operand(element)
    if range.isConstant && element.isConstant, let value = try lowering.constant(self) { return value }
    let filter = try range.filter { leaf in
      guard case .constant(let range as any ConstantRange) = leaf else {
        throw lowering.error(self, "a range of this kind is not known; write comparisons")
      }
      try lowering.checkOrder(of: Element.Output.self, at: self)
      return try lowering.contains(range, element, at: self)
    }
    return Operand(filter)
  }
}

extension PredicateExpressions.ClosedRange: LowerableExpression, TrappingExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    try lowering.checkTraps(in: self)
    if let range = try lowering.constant(self) { return range }
    throw lowering.error(self, "a bound depends on the record; write two comparisons")
  }

  func trap(in lowering: Lowering) throws -> String? {
    try lowering.isReversed(lower, upper) ? "its lower bound is above its upper bound" : nil
  }
}

extension PredicateExpressions.Range: LowerableExpression, TrappingExpression {
  func operand(in lowering: Lowering) throws -> Operand {
    try lowering.checkTraps(in: self)
    if let range = try lowering.constant(self) { return range }
    throw lowering.error(self, "a bound depends on the record; write two comparisons")
  }

  func trap(in lowering: Lowering) throws -> String? {
    try lowering.isReversed(lower, upper) ? "its lower bound is above its upper bound" : nil
  }
}

extension Lowering {
  fileprivate func isReversed<First: PredicateExpression, Second: PredicateExpression>(
    _ lower: First, _ upper: Second
  ) throws -> Bool where First.Output == Second.Output, First.Output: Comparable {
    guard case .constant(let low as First.Output)? = try constant(lower),
      case .constant(let high as First.Output)? = try constant(upper)
    else { return false }
    // Not `low > high`: a NaN has no place in a range either.
    return !(low <= high)
  }

  /// The element lies in the range.
  func contains(
    _ range: any ConstantRange, _ element: Operand, at expression: any PredicateExpression
  ) throws -> Filter {
    try element.filter { element in
      try range.bounds.reduce(.constant(true)) { filter, bound in
        filter.and(try compare(element, bound.comparison, Operand(bound.value), at: expression))
      }
    }
  }
}

/// A range as comparisons that an element of it fulfils.
protocol ConstantRange {
  var bounds: [(comparison: Comparison, value: Any)] { get }
}

extension ClosedRange: ConstantRange {
  var bounds: [(comparison: Comparison, value: Any)] { [(.greaterOrEqual, lowerBound), (.lessOrEqual, upperBound)] }
}

extension Range: ConstantRange {
  var bounds: [(comparison: Comparison, value: Any)] { [(.greaterOrEqual, lowerBound), (.less, upperBound)] }
}

extension PartialRangeFrom: ConstantRange {
  var bounds: [(comparison: Comparison, value: Any)] { [(.greaterOrEqual, lowerBound)] }
}

extension PartialRangeThrough: ConstantRange {
  var bounds: [(comparison: Comparison, value: Any)] { [(.lessOrEqual, upperBound)] }
}

extension PartialRangeUpTo: ConstantRange {
  var bounds: [(comparison: Comparison, value: Any)] { [(.less, upperBound)] }
}

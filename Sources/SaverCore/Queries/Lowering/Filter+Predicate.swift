public import FoundationEssentials

extension Filter {
  /// Says a `#Predicate` as a filter.
  ///
  /// What does not depend on the record is evaluated by Swift, once, now. What does has the meaning of the filter, which
  /// differs from `Predicate.evaluate` in one thing: texts are compared by their bytes, where Swift takes canonically
  /// equivalent ones for equal and looks for whole Characters. Values of an enumeration are equal if their raw values are.
  ///
  /// Costs some microseconds for each comparison; a closure over fields (``Query/init(where:)``) costs less, says more,
  /// and is checked by the compiler.
  ///
  /// - Throws: ``LoweringError`` for what a filter cannot say exactly. Nothing is approximated.
  public init<R: Record>(lowering predicate: Predicate<R>) throws {
    let lowering = Lowering(R.schema.type, record: predicate.variable.key)
    self = try lowering.filter(predicate.expression)
  }
}

extension Query {
  /// The records that fulfil a `#Predicate`.
  ///
  /// - Throws: ``LoweringError`` for what a filter cannot say; see ``Filter/init(lowering:)``.
  public init(_ predicate: Predicate<R>) throws {
    self.init(filter: try Filter(lowering: predicate))
  }
}

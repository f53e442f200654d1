extension Filter {
  /// Whether two filters mean the same in the same words: texts are equal if their bytes are. Swift's own equality would
  /// take a composed for a decomposed one, and the filters find different rows.
  public static func == (first: Filter, second: Filter) -> Bool {
    switch (first, second) {
    case (.constant(let one), .constant(let other)): one == other
    case (.not(let one), .not(let other)): one == other
    case (.and(let one), .and(let other)), (.or(let one), .or(let other)): one == other
    case (.compare(let field, let comparison, let value), .compare(let otherField, let otherComparison, let other)):
      field == otherField && comparison == otherComparison && value == other
    case (
      .compareFields(let field, let comparison, let second),
      .compareFields(let otherField, let otherComparison, let other)
    ):
      field == otherField && comparison == otherComparison && second == other
    case (.count(let field, let comparison, let count), .count(let otherField, let otherComparison, let other)):
      field == otherField && comparison == otherComparison && count == other
    case (.isIn(let field, let values), .isIn(let otherField, let others)): field == otherField && values == others
    case (.contains(let field, let text), .contains(let otherField, let other)),
      (.hasPrefix(let field, let text), .hasPrefix(let otherField, let other)),
      (.hasSuffix(let field, let text), .hasSuffix(let otherField, let other)),
      (.hasElement(let field, let text), .hasElement(let otherField, let other)):
      field == otherField && text.utf8.elementsEqual(other.utf8)
    case (.search(let fields, let query), .search(let otherFields, let other)):
      fields == otherFields && query.utf8.elementsEqual(other.utf8)
    default: false
    }
  }
}

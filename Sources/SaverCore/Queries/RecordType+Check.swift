import FoundationEssentials

extension RecordType {
  /// Checks that a filter speaks of this type's columns, in their types.
  func check(_ filter: Filter) throws {
    switch filter {
    case .constant: break
    case .not(let inner): try check(inner)
    case .and(let parts), .or(let parts): for part in parts { try check(part) }
    case .compare(let field, let comparison, let value): try check(field, comparison, value)
    case .compareFields(let field, let comparison, let other):
      let (first, second) = (type(ofColumn: try existing(field)), type(ofColumn: try existing(other)))
      guard first == second else {
        throw invalid("\(field) is of type \(first.rawValue), \(other) of type \(second.rawValue)")
      }
      try checkOrdered(field, first, comparison)
    case .count(let field, _, _): try require(field, in: [.string, .strings, .data], to: "count")
    case .isIn(let field, let values): for value in values { try check(field, .equal, value) }
    case .contains(let field, _): try require(field, in: [.string], to: "contains")
    case .hasPrefix(let field, _): try require(field, in: [.string], to: "hasPrefix")
    case .hasSuffix(let field, _): try require(field, in: [.string], to: "hasSuffix")
    case .hasElement(let field, _): try require(field, in: [.strings], to: "hasElement")
    case .search(let fields, _): for field in fields { try require(field, in: [.string, .strings], to: "search") }
    }
  }

  private func existing(_ field: String) throws -> Int {
    guard let column = column(named: field) else { throw invalid("there is no field '\(field)'") }
    return column
  }

  private func check(_ field: String, _ comparison: Comparison, _ value: StoredValue) throws {
    let column = try existing(field)
    let fieldType = type(ofColumn: column)
    // A null may be compared with any field: where none can be null, the answer is known and no mistake.
    guard value.type == fieldType || value == .null else {
      throw invalid("\(field) is of type \(fieldType.rawValue), and is compared with \(value.type?.rawValue ?? "nil")")
    }
    if case .double(let number) = value, number.isNaN { throw invalid("\(field) is compared with NaN") }
    if case .date(let date) = value, date.timeIntervalSince1970.isNaN { throw invalid("\(field) is compared with NaN") }
    try checkOrdered(field, fieldType, comparison)
  }

  private func checkOrdered(_ field: String, _ type: FieldType, _ comparison: Comparison) throws {
    if type == .strings && comparison != .equal && comparison != .notEqual {
      throw invalid("\(field) is a list of texts, which has no order")
    }
  }

  private func require(_ field: String, in types: [FieldType], to do: String) throws {
    let type = type(ofColumn: try existing(field))
    guard types.contains(type) else { throw invalid("\(`do`) needs another type than \(field)'s, \(type.rawValue)") }
  }

  private func invalid(_ reason: String) -> StorageError {
    StorageError(.invalidQuery, "A query of '\(name)' cannot be answered: \(reason).")
  }
}

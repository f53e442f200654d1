#if SQLite
import FoundationEssentials
import SaverCore

/// A constant of a statement.
enum Parameter {
  case value(StoredValue)
  /// A text that need not be valid UTF-8: the end of a range of prefixes.
  case text([UInt8])
  /// A text as the bytes that it consists of.
  case blob([UInt8])

  func bind(_ statement: Statement, _ parameter: Int32) -> Int32 {
    switch self {
    case .value(let value): statement.bind(value, parameter)
    case .text(let bytes): statement.bind(text: bytes, parameter)
    case .blob(let bytes): statement.bind(blob: bytes, parameter)
    }
  }
}

/// A part of a filter as an SQL condition.
struct SQLCondition {
  var sql: String
  var parameters: [Parameter] = []
  /// Whether the condition is true of exactly the rows that the filter is true of. Otherwise it is true of more, and
  /// what it lets through has to be evaluated.
  var isExact = true
  /// How deep the expression nests, for SQLite's limit: a chain of `AND` or `OR` nests once for each part.
  var height = 4

  static func constant(_ value: Bool) -> SQLCondition { SQLCondition(sql: value ? "1" : "0") }
}

/// Translates filters into SQL whose truth is that of ``Filter``: `NULL`, SQL's third truth value, counts as false
/// wherever it can arise.
struct FilterSQL {
  let table: Table

  /// Longer lists of constants are left to SaverCore.
  static let listMax = 500
  /// SQLite refuses expressions nested more than 1,000 deep.
  static let heightMax = 900
  /// Filters nested deeper than this are not looked into.
  static let depthMax = 200

  private var type: RecordType { table.type }

  /// The condition of a part of a filter; `nil` if SQLite can tell nothing about it.
  func condition(_ filter: Filter, depth: Int = 0) -> SQLCondition? {
    guard depth < Self.depthMax else { return nil }
    switch filter {
    case .constant(let value): return .constant(value)
    case .not(let inner):
      guard let inner = condition(inner, depth: depth + 1), inner.isExact else { return nil }
      return fitting(
        SQLCondition(sql: "(\(inner.sql)) IS NOT TRUE", parameters: inner.parameters, height: inner.height + 2))
    case .and(let parts): return all(parts, depth: depth + 1)
    case .or(let parts): return any(parts, depth: depth + 1)
    case .compare(let field, let comparison, let value):
      return on(field) { compare($0, comparison, value, isDerived: $1) }
    case .compareFields(let field, let comparison, let other): return compareFields(field, comparison, other)
    case .count(let field, let comparison, let count): return self.count(field, comparison, count)
    case .isIn(let field, let values): return on(field) { isIn($0, field, values, isDerived: $1) }
    case .contains(let field, let text):
      // Texts are compared byte by byte, NUL included: a valid needle cannot begin in the middle of a character.
      return on(field) { column, _ in
        SQLCondition(sql: "instr(\(column), ?) > 0", parameters: [.value(.text(text))])
      }
    case .hasPrefix(let field, let text): return on(field) { column, _ in hasPrefix(column, text) }
    case .hasSuffix(let field, let text): return on(field) { column, _ in hasSuffix(column, text) }
    case .hasElement(let field, let text): return hasElement(field, text)
    case .search: return nil
    }
  }

  /// A condition on one column. A derived value that is missing may be anything.
  private func on(_ field: String, _ make: (String, _ isDerived: Bool) -> SQLCondition?) -> SQLCondition? {
    guard let column = type.column(named: field) else { return nil }
    let name = table.columns[column]
    guard column >= type.fields.count else { return make(name, false) }
    guard var condition = make(name, true) else { return nil }
    condition.sql = "(\(condition.sql) OR \(name) IS NULL)"
    condition.isExact = false
    return condition
  }

  // MARK: Logic

  private func all(_ parts: [Filter], depth: Int) -> SQLCondition? {
    let conditions = parts.compactMap { condition($0, depth: depth) }
    if conditions.isEmpty { return parts.isEmpty ? .constant(true) : nil }
    return fitting(
      SQLCondition(
        sql: conditions.map { "(\($0.sql))" }.joined(separator: " AND "),
        parameters: conditions.flatMap(\.parameters),
        isExact: conditions.count == parts.count && conditions.allSatisfy(\.isExact), height: height(conditions)))
  }

  private func any(_ parts: [Filter], depth: Int) -> SQLCondition? {
    let conditions = parts.compactMap { condition($0, depth: depth) }
    guard conditions.count == parts.count else { return nil }
    if conditions.isEmpty { return .constant(false) }
    return fitting(
      SQLCondition(
        sql: "(" + conditions.map { "(\($0.sql))" }.joined(separator: " OR ") + ")",
        parameters: conditions.flatMap(\.parameters), isExact: conditions.allSatisfy(\.isExact),
        height: height(conditions)))
  }

  private func height(_ parts: [SQLCondition]) -> Int { parts.count + parts.reduce(0) { max($0, $1.height) } }

  private func fitting(_ condition: SQLCondition) -> SQLCondition? {
    condition.height <= Self.heightMax ? condition : nil
  }

  // MARK: Comparing

  private func compare(
    _ column: String, _ comparison: Comparison, _ value: StoredValue, isDerived: Bool
  ) -> SQLCondition? {
    if value == .null {
      switch comparison {
      // A derived value is never null to a query; `on` adds the rows that lack it.
      case .equal: return isDerived ? .constant(false) : SQLCondition(sql: "\(column) IS NULL")
      case .notEqual: return isDerived ? .constant(true) : SQLCondition(sql: "\(column) IS NOT NULL")
      case .less, .lessOrEqual, .greater, .greaterOrEqual: return .constant(false)
      }
    }
    // Two lists are equal whatever white space and escapes they are written with.
    if value.type == .strings { return nil }
    let symbol =
      switch comparison {
      case .equal: "="
      case .notEqual: "IS NOT"
      case .less, .lessOrEqual, .greater, .greaterOrEqual: comparison.rawValue
      }
    return SQLCondition(sql: "\(column) \(symbol) ?", parameters: [.value(value)])
  }

  private func compareFields(_ field: String, _ comparison: Comparison, _ other: String) -> SQLCondition? {
    guard let first = type.column(named: field), let second = type.column(named: other),
      type.type(ofColumn: first) != .strings
    else { return nil }
    let symbol =
      switch comparison {
      case .equal: "IS"
      case .notEqual: "IS NOT"
      case .less, .lessOrEqual, .greater, .greaterOrEqual: comparison.rawValue
      }
    var condition = SQLCondition(sql: "\(table.columns[first]) \(symbol) \(table.columns[second])")
    for column in [first, second] where column >= type.fields.count {
      condition.sql = "(\(condition.sql) OR \(table.columns[column]) IS NULL)"
      condition.isExact = false
    }
    return condition
  }

  /// Bytes of a blob are counted by SQLite. Characters are not SQLite's, and lists are JSON that may be broken.
  private func count(_ field: String, _ comparison: Comparison, _ count: Int) -> SQLCondition? {
    guard let column = type.column(named: field), type.type(ofColumn: column) == .data else { return nil }
    let symbol =
      switch comparison {
      case .equal: "="
      case .notEqual: "IS NOT"
      case .less, .lessOrEqual, .greater, .greaterOrEqual: comparison.rawValue
      }
    return SQLCondition(sql: "length(\(table.columns[column])) \(symbol) ?", parameters: [.value(.int(count))])
  }

  private func isIn(_ column: String, _ field: String, _ values: [StoredValue], isDerived: Bool) -> SQLCondition? {
    let constants = values.filter { $0 != .null }
    guard constants.count <= Self.listMax, !constants.contains(where: { $0.type == .strings }) else { return nil }
    let orNull = constants.count < values.count && !isDerived
    if constants.isEmpty { return orNull ? SQLCondition(sql: "\(column) IS NULL") : .constant(false) }
    let marks = repeatElement("?", count: constants.count).joined(separator: ", ")
    let list = "\(column) IN (\(marks))"
    return SQLCondition(
      sql: orNull ? "(\(list) OR \(column) IS NULL)" : list, parameters: constants.map { .value($0) })
  }

  // MARK: Texts

  /// A range, so that an index can be used. UTF-8 has no byte 0xff, so the last byte can always be counted up.
  private func hasPrefix(_ column: String, _ text: String) -> SQLCondition {
    var end = Array(text.utf8)
    guard let last = end.popLast() else { return SQLCondition(sql: "\(column) IS NOT NULL") }
    end.append(last + 1)
    return SQLCondition(
      sql: "(\(column) >= ? AND \(column) < ?)", parameters: [.value(.text(text)), .text(end)])
  }

  /// Compared as bytes: SQLite counts a text's characters only up to its first NUL.
  private func hasSuffix(_ column: String, _ text: String) -> SQLCondition {
    let bytes = Array(text.utf8)
    if bytes.isEmpty { return SQLCondition(sql: "\(column) IS NOT NULL") }
    return SQLCondition(
      sql: "substr(CAST(\(column) AS BLOB), ?) = ?", parameters: [.value(.int(-bytes.count)), .blob(bytes)])
  }

  /// Where no escape stands, an element stands in its quotes. Where one stands, anything may be meant. Neither makes
  /// sure that it is an element: `","` stands between any two.
  private func hasElement(_ field: String, _ text: String) -> SQLCondition? {
    guard let column = type.column(named: field) else { return nil }
    let name = table.columns[column]
    return SQLCondition(
      sql: "(instr(\(name), ?) > 0 OR instr(\(name), '\\') > 0)", parameters: [.value(.text("\"\(text)\""))],
      isExact: false)
  }
}
#endif

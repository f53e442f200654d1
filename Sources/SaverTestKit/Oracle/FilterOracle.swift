import FoundationEssentials
import SaverCore

/// The meaning of filters, evaluated on Swift values.
///
/// Written from the documentation of `Filter`, for clearness alone; shares no code with the core's evaluation.
enum FilterOracle {
  static func matches<R: TransparentRecord>(_ filter: Filter, _ record: R) -> Bool {
    switch filter {
    case .constant(let value): value
    case .not(let inner): !matches(inner, record)
    case .and(let parts): parts.allSatisfy { matches($0, record) }
    case .or(let parts): parts.contains { matches($0, record) }
    case .compare(let field, let comparison, let constant):
      holds(record.value(of: field), comparison, constant)
    case .compareFields(let field, let comparison, let other):
      holds(record.value(of: field), comparison, record.value(of: other))
    case .count(let field, let comparison, let count):
      switch record.value(of: field) {
      case .text(let text): holds(.int(Array(text).count), comparison, .int(count))
      case .texts(let list): holds(.int(list.count), comparison, .int(count))
      case .data(let data): holds(.int(data.count), comparison, .int(count))
      default: comparison == .notEqual
      }
    case .isIn(let field, let constants):
      constants.contains { holds(record.value(of: field), .equal, $0) }
    case .contains(let field, let needle):
      scalars(record, field).map { text in
        let needle = Array(needle.unicodeScalars)
        return text.indices.contains { text[$0...].starts(with: needle) } || needle.isEmpty
      } ?? false
    case .hasPrefix(let field, let needle):
      scalars(record, field).map { $0.starts(with: needle.unicodeScalars) } ?? false
    case .hasSuffix(let field, let needle):
      scalars(record, field).map { $0.reversed().starts(with: needle.unicodeScalars.reversed()) } ?? false
    case .hasElement(let field, let element):
      if case .texts(let list) = record.value(of: field) {
        list.contains { holds(.text($0), .equal, .text(element)) }
      } else {
        false
      }
    case .search(let fields, let query):
      SearchOracle.matches(query, fields.map { record.value(of: $0) })
    }
  }

  private static func scalars<R: TransparentRecord>(_ record: R, _ field: String) -> [Unicode.Scalar]? {
    if case .text(let text) = record.value(of: field) { Array(text.unicodeScalars) } else { nil }
  }

  /// Swift's rules for optionals: two nils are equal, and nothing is less or greater than nil.
  static func holds(_ value: StoredValue, _ comparison: Comparison, _ other: StoredValue) -> Bool {
    if value == .null || other == .null {
      let areEqual = value == other
      return comparison == .equal && areEqual || comparison == .notEqual && !areEqual
    }
    let areEqual = !precedes(value, other) && !precedes(other, value)
    return switch comparison {
    case .equal: areEqual
    case .notEqual: !areEqual
    case .less: precedes(value, other)
    case .lessOrEqual: precedes(value, other) || areEqual
    case .greater: precedes(other, value)
    case .greaterOrEqual: precedes(other, value) || areEqual
    }
  }

  /// The order of values of one type; nil first. Lists have none of their own: theirs serves to tell them apart.
  static func precedes(_ value: StoredValue, _ other: StoredValue) -> Bool {
    switch (value, other) {
    case (.null, .null): false
    case (.null, _): true
    case (.bool(let value), .bool(let other)): !value && other
    case (.int(let value), .int(let other)): value < other
    case (.double(let value), .double(let other)): value < other
    case (.date(let value), .date(let other)): value.timeIntervalSince1970 < other.timeIntervalSince1970
    case (.text(let value), .text(let other)):
      value.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
    case (.data(let value), .data(let other)): value.lexicographicallyPrecedes(other)
    case (.uuid(let value), .uuid(let other)): precedes(value, other)
    case (.texts(let value), .texts(let other)):
      value.lexicographicallyPrecedes(other) { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
    default: false
    }
  }

  static func precedes(_ id: UUID, _ other: UUID) -> Bool {
    id.uuidString.lexicographicallyPrecedes(other.uuidString)
  }
}

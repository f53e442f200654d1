public import FoundationEssentials

/// The fields of a record, as the closure of a query sees them: `Query<Note> { $0.kind == .note && !$0.isDone }`.
@dynamicMemberLookup
public struct Fields<R: Record>: Sendable {
  public init() {}

  /// - Precondition: the property is a field of the schema.
  public subscript<Value: FieldValue>(
    dynamicMember keyPath: any KeyPath<R, Value> & Sendable
  ) -> FieldReference<R, Value> {
    FieldReference(name: R.fieldName(keyPath))
  }

  /// Every word of `query` occurs in one of the fields, blind to case and accents. See ``Filter/search(_:_:)``.
  public func search<each Value: SearchableFieldValue>(
    _ query: String, in field: repeat FieldReference<R, each Value>
  ) -> Filter {
    var names: [String] = []
    repeat names.append((each field).name)
    return .search(names, query)
  }
}

/// A field that a filter speaks of.
public struct FieldReference<R, Value>: Sendable {
  public let name: String
}

extension FieldReference where Value: FieldValue {
  public static func == (field: Self, value: Value) -> Filter { .compare(field.name, .equal, value.storedValue) }
  public static func != (field: Self, value: Value) -> Filter { .compare(field.name, .notEqual, value.storedValue) }
  public static func == (field: Self, other: Self) -> Filter { .compareFields(field.name, .equal, other.name) }
  public static func != (field: Self, other: Self) -> Filter { .compareFields(field.name, .notEqual, other.name) }

  /// The field equals one of the values.
  public func isIn(_ values: some Sequence<Value>) -> Filter { .isIn(name, values.map(\.storedValue)) }
}

extension FieldReference where Value: OrderedFieldValue {
  public static func < (field: Self, value: Value) -> Filter { .compare(field.name, .less, value.storedValue) }
  public static func <= (field: Self, value: Value) -> Filter { .compare(field.name, .lessOrEqual, value.storedValue) }
  public static func > (field: Self, value: Value) -> Filter { .compare(field.name, .greater, value.storedValue) }
  public static func >= (field: Self, value: Value) -> Filter {
    .compare(field.name, .greaterOrEqual, value.storedValue)
  }
  public static func < (field: Self, other: Self) -> Filter { .compareFields(field.name, .less, other.name) }
  public static func <= (field: Self, other: Self) -> Filter { .compareFields(field.name, .lessOrEqual, other.name) }
  public static func > (field: Self, other: Self) -> Filter { .compareFields(field.name, .greater, other.name) }
  public static func >= (field: Self, other: Self) -> Filter {
    .compareFields(field.name, .greaterOrEqual, other.name)
  }
}

extension FieldReference where Value: OrderedFieldValue & Comparable {
  public func isIn(_ range: Range<Value>) -> Filter { self >= range.lowerBound && self < range.upperBound }
  public func isIn(_ range: ClosedRange<Value>) -> Filter { self >= range.lowerBound && self <= range.upperBound }
  public func isIn(_ range: PartialRangeFrom<Value>) -> Filter { self >= range.lowerBound }
  public func isIn(_ range: PartialRangeUpTo<Value>) -> Filter { self < range.upperBound }
  public func isIn(_ range: PartialRangeThrough<Value>) -> Filter { self <= range.upperBound }
}

extension FieldReference where Value == Bool {
  public static prefix func ! (field: Self) -> Filter { field == false }
  public static func && (field: Self, filter: Filter) -> Filter { (field == true) && filter }
  public static func && (filter: Filter, field: Self) -> Filter { filter && (field == true) }
  public static func && (field: Self, other: Self) -> Filter { (field == true) && (other == true) }
  public static func || (field: Self, filter: Filter) -> Filter { (field == true) || filter }
  public static func || (filter: Filter, field: Self) -> Filter { filter || (field == true) }
  public static func || (field: Self, other: Self) -> Filter { (field == true) || (other == true) }
}

/// Texts and optional texts.
public protocol TextFieldValue: FieldValue {}
extension String: TextFieldValue {}
extension Optional: TextFieldValue where Wrapped == String {}

extension FieldReference where Value: TextFieldValue {
  public func contains(_ text: String) -> Filter { .contains(name, text) }
  public func hasPrefix(_ text: String) -> Filter { .hasPrefix(name, text) }
  public func hasSuffix(_ text: String) -> Filter { .hasSuffix(name, text) }
  public var isEmpty: Filter { .compare(name, .equal, .text("")) }
}

extension FieldReference where Value == [String] {
  /// The list has this element.
  public func contains(_ element: String) -> Filter { .hasElement(name, element) }
  public var isEmpty: Filter { .count(name, .equal, 0) }
}

/// Texts, optional texts and lists of texts: what ``Fields/search(_:in:)`` looks into.
public protocol SearchableFieldValue: FieldValue {}
extension String: SearchableFieldValue {}
extension Optional: SearchableFieldValue where Wrapped == String {}
extension [String]: SearchableFieldValue {}

/// Values that have a number of parts: Characters of a text, elements of a list, bytes of a blob.
public protocol CountableFieldValue: FieldValue {}
extension String: CountableFieldValue {}
extension Data: CountableFieldValue {}
extension [String]: CountableFieldValue {}
extension Optional: CountableFieldValue where Wrapped: CountableFieldValue {}

extension FieldReference where Value: CountableFieldValue {
  public var count: FieldCount { FieldCount(field: name) }
}

/// The number of parts of a field's value. See ``Filter/count(_:_:_:)``.
public struct FieldCount: Sendable {
  let field: String

  public static func == (count: Self, number: Int) -> Filter { .count(count.field, .equal, number) }
  public static func != (count: Self, number: Int) -> Filter { .count(count.field, .notEqual, number) }
  public static func < (count: Self, number: Int) -> Filter { .count(count.field, .less, number) }
  public static func <= (count: Self, number: Int) -> Filter { .count(count.field, .lessOrEqual, number) }
  public static func > (count: Self, number: Int) -> Filter { .count(count.field, .greater, number) }
  public static func >= (count: Self, number: Int) -> Filter { .count(count.field, .greaterOrEqual, number) }
}

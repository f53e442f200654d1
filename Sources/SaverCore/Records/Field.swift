public import FoundationEssentials

/// A stored property of a record: the name of its column, and how to read it out of the record.
///
/// `Value` is a ``FieldValue``; only the initialisers say so, because a constraint on the type itself would be looked up
/// in all conformances of the program for each field when it starts (a third of the start of the command line).
public struct Field<Root: Sendable, Value>: Sendable {
  public let description: FieldDescription
  @usableFromInline let keyPath: any KeyPath<Root, Value> & Sendable
  /// Where a stored property lies in the record; `nil` for a computed one. Reading through it takes 2 ns, through the
  /// key path 60 to 100.
  @usableFromInline let offset: Int?
}

extension Field where Value: FieldValue {
  /// - Parameters:
  ///   - name: lower-case letters, digits and `_`, not beginning with a digit; the column's name in the store.
  ///   - indexed: whether an index of this field alone is kept.
  public init(_ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable, indexed: Bool = false) {
    self.init(name, keyPath, indexed: indexed, default: Value.isOptional ? .value(.null) : .none)
  }

  /// A field with a default: for rows that other programs insert, and for older rows when the field is new.
  public init(
    _ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable, default value: Value, indexed: Bool = false
  ) {
    self.init(name, keyPath, indexed: indexed, default: .value(value.storedValue))
  }

  init(
    _ name: String, _ keyPath: any KeyPath<Root, Value> & Sendable, indexed: Bool, default: FieldDescription.Default
  ) {
    precondition(isIdentifier(name), "'\(name)' is no name for a field")
    precondition(Value.ordersAsStored, "the order of \(Value.self) is not the order of its raw values")
    description = FieldDescription(
      name: name, type: Value.fieldType, isOptional: Value.isOptional, isIndexed: indexed, default: `default`,
      keyPath: keyPath)
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  /// The field's value in a record.
  @inlinable public func value(of record: Root) -> Value {
    guard let offset else { return record[keyPath: keyPath] }
    return withUnsafeBytes(of: record) { $0.load(fromByteOffset: offset, as: Value.self) }
  }
}

extension Field where Value == Date {
  /// A date that is the present time unless something else is given.
  public init(
    _ name: String, _ keyPath: any KeyPath<Root, Date> & Sendable, defaultsToNow: Bool, indexed: Bool = false
  ) {
    self.init(name, keyPath, indexed: indexed, default: defaultsToNow ? .now : .none)
  }
}

/// What an engine needs to know of a field.
public struct FieldDescription: Sendable {
  public enum Default: Hashable, Sendable {
    case none
    case value(StoredValue)
    /// The time of the insertion.
    case now
  }

  public let name: String
  public let type: FieldType
  public let isOptional: Bool
  public let isIndexed: Bool
  public let `default`: Default
  /// Key paths are immutable; the type only lacks the conformance.
  nonisolated(unsafe) let keyPath: AnyKeyPath
}

func isIdentifier(_ name: String) -> Bool {
  guard let first = name.utf8.first, first != UInt8(ascii: "_"), !(48...57).contains(first) else { return false }
  return name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_") }
}

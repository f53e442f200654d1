/// A type whose values a field can hold.
///
/// `Bool`, `Int`, `Double`, `String`, `Data`, `Date`, `UUID`, `[String]`, optionals of them, and enumerations over a
/// raw value of these types, which conform by naming the protocol: `enum Kind: String, CaseIterable, FieldValue`.
public protocol FieldValue: Sendable {
  /// The type in the store. An enumeration has the type of its raw values.
  static var fieldType: FieldType { get }
  static var isOptional: Bool { get }

  /// Decodes one column.
  ///
  /// - Throws: ``RowError`` if the column holds another type, or bytes that are no value of this one.
  static func decode(_ row: borrowing RowView, _ column: Int) throws -> Self

  /// Appends the value to a row. A value that cannot be stored marks the row as failed.
  func encode(into row: inout RowWriter)

  /// The value as a constant.
  var storedValue: StoredValue { get }

  /// Whether the type's own order, if it has one that queries may use, is the order of the encoded values.
  static var ordersAsStored: Bool { get }
}

extension FieldValue {
  @inlinable public static var isOptional: Bool { false }
  public static var ordersAsStored: Bool { true }
}

/// A field value with an order that all engines agree on: the order of the encoded values.
///
/// Numbers and dates by size, `false` before `true`, texts and bytes by their bytes, which for UTF-8 is the order of the
/// Unicode scalars. An enumeration conforms only if the order of its cases is the order of their raw values; a schema
/// checks that.
public protocol OrderedFieldValue: FieldValue {}

extension Optional: FieldValue where Wrapped: FieldValue {
  @inlinable public static var fieldType: FieldType { Wrapped.fieldType }
  @inlinable public static var isOptional: Bool { true }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> Wrapped? {
    row.slots[column].kind == .null ? nil : try Wrapped.decode(row, column)
  }

  @inlinable public func encode(into row: inout RowWriter) {
    if let self { self.encode(into: &row) } else { row.append(.null) }
  }

  public var storedValue: StoredValue { self?.storedValue ?? .null }
  public static var ordersAsStored: Bool { Wrapped.ordersAsStored }
}

extension Optional: OrderedFieldValue where Wrapped: OrderedFieldValue {}

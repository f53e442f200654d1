/// An enumeration over a raw value is stored as that value.
extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  @inlinable public static var fieldType: FieldType { RawValue.fieldType }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> Self {
    guard let value = Self(rawValue: try RawValue.decode(row, column)) else { throw RowError.unknownCase(column) }
    return value
  }

  @inlinable public func encode(into row: inout RowWriter) { rawValue.encode(into: &row) }
  public var storedValue: StoredValue { rawValue.storedValue }
}

extension OrderedFieldValue
where Self: RawRepresentable & CaseIterable & Comparable, RawValue: OrderedFieldValue & Comparable {
  /// Proved on every pair of cases.
  public static var ordersAsStored: Bool { casesOrderAsStored }
}

extension FieldValue where Self: CaseIterable & Comparable {
  /// Whether the order of the cases is the order of what is stored for them: for texts their bytes, not `<`.
  static var casesOrderAsStored: Bool {
    allCases.allSatisfy { first in
      allCases.allSatisfy { second in
        (first < second) == StoredValue.holds(first.storedValue, .less, second.storedValue)
      }
    }
  }
}

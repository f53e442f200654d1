public import FoundationEssentials

extension Bool: OrderedFieldValue {
  @inlinable public static var fieldType: FieldType { .bool }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> Bool {
    let slot = row.slots[column]
    guard slot.kind == .integer else { throw RowError.mismatch(slot, column, wanted: "a boolean") }
    return slot.bits != 0
  }

  @inlinable public func encode(into row: inout RowWriter) { row.append(.integer(self ? 1 : 0)) }
  public var storedValue: StoredValue { .bool(self) }
}

extension Int: OrderedFieldValue {
  @inlinable public static var fieldType: FieldType { .int }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> Int {
    let slot = row.slots[column]
    guard slot.kind == .integer else { throw RowError.mismatch(slot, column, wanted: "an integer") }
    return Int(slot.integer)
  }

  @inlinable public func encode(into row: inout RowWriter) { row.append(.integer(Int64(self))) }
  public var storedValue: StoredValue { .int(self) }
}

/// A double is stored exactly, but for two values: NaN has no place in an order and is refused, and `-0.0` becomes `0.0`
/// (SQLite would make NULL of the one and forgets the sign of the other).
extension Double: OrderedFieldValue {
  @inlinable public static var fieldType: FieldType { .double }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> Double {
    let slot = row.slots[column]
    switch slot.kind {
    case .real: return slot.real
    case .integer: return Double(slot.integer)
    case .null, .text, .blob, .jsonList, .packedList: throw RowError.mismatch(slot, column, wanted: "a number")
    }
  }

  @inlinable public func encode(into row: inout RowWriter) {
    if isNaN { return row.fail("holds NaN, which cannot be stored") }
    row.append(.real(self == 0 ? 0 : self))
  }

  public var storedValue: StoredValue { .double(self) }
}

/// A date is stored as seconds since 1970-01-01 00:00 UTC in a double: whole milliseconds are exact for some 200,000
/// years, finer dates are rounded to about a quarter of a microsecond.
extension Date: OrderedFieldValue {
  @inlinable public static var fieldType: FieldType { .date }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> Date {
    Date(timeIntervalSince1970: try Double.decode(row, column))
  }

  @inlinable public func encode(into row: inout RowWriter) { timeIntervalSince1970.encode(into: &row) }
  public var storedValue: StoredValue { .date(self) }
}

public import FoundationEssentials

/// A value of any field type, outside a record: a constant in a filter, a default, a place in a sorted list.
public enum StoredValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case text(String)
  case data(Data)
  case date(Date)
  case uuid(UUID)
  case texts([String])

  /// The type of the value; `nil` for ``null``, which every optional field has.
  public var type: FieldType? {
    switch self {
    case .null: nil
    case .bool: .bool
    case .int: .int
    case .double: .double
    case .text: .string
    case .data: .data
    case .date: .date
    case .uuid: .uuid
    case .texts: .strings
    }
  }

  /// Appends the value to a row, as the field types themselves do.
  public func encode(into row: inout RowWriter) {
    switch self {
    case .null: row.append(.null)
    case .bool(let value): value.encode(into: &row)
    case .int(let value): value.encode(into: &row)
    case .double(let value): value.encode(into: &row)
    case .text(let value): value.encode(into: &row)
    case .data(let value): value.encode(into: &row)
    case .date(let value): value.encode(into: &row)
    case .uuid(let value): value.encode(into: &row)
    case .texts(let value): value.encode(into: &row)
    }
  }

  /// Decodes a column as a value of `type`.
  public static func decode(_ row: borrowing RowView, _ column: Int, as type: FieldType) throws -> StoredValue {
    if row[slot: column].kind == .null { return .null }
    return switch type {
    case .bool: .bool(try row[column])
    case .int: .int(try row[column])
    case .double: .double(try row[column])
    case .string: .text(try row[column])
    case .data: .data(try row[column])
    case .date: .date(try row[column])
    case .uuid: .uuid(try row[column])
    case .strings: .texts(try row[column])
    }
  }
}

extension StoredValue: CustomStringConvertible {
  public var description: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .double(let value): "\(value)"
    case .text(let value): "\"\(value)\""
    case .data(let value): "\(value.count) bytes"
    case .date(let value): "date(\(value.timeIntervalSince1970))"
    case .uuid(let value): value.hexadecimal
    case .texts(let value): "\(value)"
    }
  }
}

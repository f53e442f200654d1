public import FoundationEssentials

/// A value of any field type, outside a record: a constant in a filter, a default, a place in a sorted list.
///
/// Two texts are equal if their bytes are, as in a store; Swift's own equality would take a composed for a decomposed one.
public enum StoredValue: Sendable {
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

extension StoredValue: Hashable {
  public static func == (first: StoredValue, second: StoredValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.int(let one), .int(let other)): one == other
    case (.double(let one), .double(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.data(let one), .data(let other)): one == other
    case (.date(let one), .date(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.texts(let one), .texts(let other)): one.elementsEqual(other) { $0.utf8.elementsEqual($1.utf8) }
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .text(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .texts(let value): hasher.combine(value)
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

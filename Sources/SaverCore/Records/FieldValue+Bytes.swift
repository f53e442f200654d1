public import FoundationEssentials

extension String: OrderedFieldValue {
  @inlinable public static var fieldType: FieldType { .string }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> String {
    let slot = row.slots[column]
    guard slot.kind == .text else { throw RowError.mismatch(slot, column, wanted: "a text") }
    guard let text = String(validating: slot.bytes) else { throw RowError.invalidText(column) }
    return text
  }

  @inlinable public func encode(into row: inout RowWriter) {
    var text = self
    text.withUTF8 { row.append(.text, copying: UnsafeRawBufferPointer($0)) }
  }

  public var storedValue: StoredValue { .text(self) }
}

extension Data: OrderedFieldValue {
  @inlinable public static var fieldType: FieldType { .data }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> Data {
    let slot = row.slots[column]
    guard slot.kind == .blob else { throw RowError.mismatch(slot, column, wanted: "a blob") }
    return Data(slot.bytes)
  }

  @inlinable public func encode(into row: inout RowWriter) {
    withUnsafeBytes { row.append(.blob, copying: $0) }
  }

  public var storedValue: StoredValue { .data(self) }
}

extension UUID: OrderedFieldValue {
  @inlinable public static var fieldType: FieldType { .uuid }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> UUID {
    let slot = row.slots[column]
    guard slot.kind == .blob, slot.bits == 16, let pointer = slot.pointer else {
      throw RowError.mismatch(slot, column, wanted: "a blob of 16 bytes")
    }
    return UUID(uuid: pointer.loadUnaligned(as: uuid_t.self))
  }

  @inlinable public func encode(into row: inout RowWriter) {
    withUnsafeBytes(of: uuid) { row.append(.blob, copying: $0) }
  }

  public var storedValue: StoredValue { .uuid(self) }
}

extension [String]: FieldValue {
  @inlinable public static var fieldType: FieldType { .strings }

  @inlinable public static func decode(_ row: borrowing RowView, _ column: Int) throws -> [String] {
    if let lists = row.lists {
      return try lists._withUnsafeGuaranteedRef { try $0.list(row.slots[column], column) }
    }
    return try StringList.decode(row.slots[column], column)
  }

  @inlinable public func encode(into row: inout RowWriter) { row.append(list: self) }
  public var storedValue: StoredValue { .texts(self) }
}

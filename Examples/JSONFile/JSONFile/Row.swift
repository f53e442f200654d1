import FoundationEssentials
import SaverCore

/// A row in memory, as the program's record types are decoded from it; in the file, an array of its values.
///
/// JSON has one kind of number, and no bytes. So that nothing is lost or changes its type, a value is a text that says what
/// it is: `"text hello"`, `"int 5"`, `"real 0.5"`, `"hex 00ff"`; a list of texts is an array, and nothing is null.
struct Row: Sendable {
  let stored: StoredRow

  init(copying row: borrowing RowView) {
    stored = StoredRow(copying: row)
  }

  /// Makes the row that `fill` writes.
  init(columns: Int, _ fill: (inout RowWriter) throws -> Void) throws {
    var writer = RowWriter(columns: columns, listEncoding: .json)
    writer.begin()
    try fill(&writer)
    self = try writer.finish { Row(copying: $0) }
  }

  var id: UUID {
    get throws { try stored.withView { try $0[0] } }
  }

  /// The row in the form of a newer schema.
  func migrated(_ migration: SchemaMigration) throws -> Row {
    try stored.withView { old in
      // Slot by slot: what a row holds is not looked at.
      var slots: [Slot] = []
      var additions: [Row] = []
      for source in migration.columns {
        switch source {
        case .stored(let column): slots.append(old[slot: column])
        case .default(let value):
          let addition = try Row(columns: 1) { Self.encode(value, into: &$0) }
          additions.append(addition)
          slots.append(addition.stored.withView { $0[slot: 0] })
        }
      }
      return withExtendedLifetime(additions) {
        slots.withUnsafeBufferPointer { slots in
          Row(copying: RowView(slots: slots.baseAddress!, count: slots.count))
        }
      }
    }
  }

  private static func encode(_ value: FieldDescription.Default, into writer: inout RowWriter) {
    switch value {
    case .none: StoredValue.null.encode(into: &writer)
    case .value(let value): value.encode(into: &writer)
    case .now: StoredValue.date(Date()).encode(into: &writer)
    }
  }
}

// MARK: In the file

extension Row: Codable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try stored.withView { row in
      for column in 0..<row.count {
        let slot = row[slot: column]
        switch slot.kind {
        case .null: try container.encodeNil()
        case .integer: try container.encode("int \(slot.integer)")
        case .real: try container.encode("real \(slot.real)")
        case .text: try container.encode("text " + String(decoding: slot.bytes, as: UTF8.self))
        case .blob: try container.encode("hex " + Hexadecimal.text(slot.bytes))
        case .jsonList, .packedList: try container.encode(StringList.decode(slot, column))
        }
      }
    }
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let count = container.count ?? 0
    try self.init(columns: count) { writer in
      while !container.isAtEnd {
        if try container.decodeNil() {
          writer.append(.null)
        } else if let text = try? container.decode(String.self) {
          guard Self.append(text, to: &writer) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a value of no known kind")
          }
        } else {
          writer.append(list: try container.decode([String].self))
        }
      }
    }
  }

  /// Appends the value that a text says; returns `false` if it says none.
  private static func append(_ text: String, to writer: inout RowWriter) -> Bool {
    var text = text
    // The bytes, because a content may begin with a mark that makes one Character of it and the blank.
    return text.withUTF8 { bytes in
      guard let blank = bytes.firstIndex(of: UInt8(ascii: " ")) else { return false }
      let content = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[(blank + 1)...]))
      switch String(decoding: bytes[..<blank], as: UTF8.self) {
      case "int":
        guard let number = Int64(String(decoding: content, as: UTF8.self)) else { return false }
        writer.append(.integer(number))
      case "real":
        guard let number = Double(String(decoding: content, as: UTF8.self)) else { return false }
        writer.append(.real(number))
      case "text": writer.append(.text, copying: content)
      case "hex":
        guard let blob = Hexadecimal.bytes(content) else { return false }
        blob.withUnsafeBytes { writer.append(.blob, copying: $0) }
      default: return false
      }
      return true
    }
  }
}

private enum Hexadecimal {
  static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      var position = 0
      for byte in bytes {
        text[position] = digits.utf8Start[Int(byte >> 4)]
        text[position + 1] = digits.utf8Start[Int(byte & 15)]
        position += 2
      }
      return position
    }
  }

  /// The bytes that a text stands for; `nil` if it has anything but pairs of digits.
  static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = value(text[index]), let low = value(text[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

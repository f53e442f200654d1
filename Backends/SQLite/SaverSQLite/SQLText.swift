#if SQLite
import FoundationEssentials
import SaverCore

/// Pieces of SQL. Values are bound, never written into the text, but for defaults, which cannot be bound.
enum SQLText {
  static func quoted(_ name: String) -> String { "\"\(name)\"" }

  /// A path as a part of an address that begins with `file:`.
  static func escaped(inAddress path: String) -> String {
    var text: [UInt8] = []
    for byte in path.utf8 {
      if "?#%".utf8.contains(byte) { text += Array("%\(hexadecimal([byte]))".utf8) } else { text.append(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The type in a `STRICT` table.
  static func columnType(_ type: FieldType) -> String {
    switch type {
    case .bool, .int: "INTEGER"
    case .double, .date: "REAL"
    case .string, .strings: "TEXT"
    case .data, .uuid: "BLOB"
    }
  }

  /// The default of a column, as an expression in parentheses; `nil` if there is none.
  static func defaultExpression(_ value: FieldDescription.Default) -> String? {
    switch value {
    case .none, .value(.null): nil
    case .value(let value): "(\(literal(value)))"
    // Whole milliseconds since 1970. `julianday` is exact to the millisecond.
    case .now: "(round((julianday('now') - 2440587.5) * 86400.0, 3))"
    }
  }

  /// A constant as an SQL literal. Texts and blobs are written in hexadecimal, so that no content can break out.
  static func literal(_ value: StoredValue) -> String {
    switch value {
    case .null: "NULL"
    case .bool(let value): value ? "1" : "0"
    case .int(let value): value == .min ? "(-9223372036854775807 - 1)" : "\(value)"
    case .double(let value): literal(value)
    case .date(let value): literal(value.timeIntervalSince1970)
    case .text(let value): literal(value)
    case .data(let value): "x'\(hexadecimal(value))'"
    case .uuid(let value): "x'\(withUnsafeBytes(of: value.uuid) { hexadecimal($0) })'"
    case .texts(let value): literal(json(value))
    }
  }

  private static func literal(_ value: Double) -> String {
    value.isInfinite ? (value < 0 ? "-9e999" : "9e999") : "\(value)"
  }

  private static func literal(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "'") }
    return isPlain ? "'\(text)'" : "CAST(x'\(hexadecimal(text.utf8))' AS TEXT)"
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A list of texts as rows hold it.
  private static func json(_ list: [String]) -> String {
    var writer = RowWriter(columns: 1, listEncoding: .json)
    writer.begin()
    writer.append(list: list)
    let text = try? writer.finish { row in String(validating: row[slot: 0].bytes) }
    return (text ?? nil) ?? "[]"
  }
}
#endif

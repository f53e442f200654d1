/// Rows of comma-separated values as RFC 4180 describes them, with one difference: lines end with LF, as everything
/// else that the tool writes. (Readers of CSV take both.)
///
/// A field is quoted when it holds a comma, a quote, a line break, or a space at either end, which some readers would
/// drop; what is in it is kept exactly, control characters too: CSV is data.
package enum CSVText {
  /// Appends one row with its line end. A row of one empty field is `""`: an empty line would be no row.
  package static func append(row fields: some Collection<String>, to bytes: inout [UInt8]) {
    var isFirst = true
    for field in fields {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(field, mustQuote: fields.count == 1 && field.isEmpty, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func append(_ field: String, mustQuote: Bool, to bytes: inout [UInt8]) {
    guard mustQuote || needsQuotes(field) else { return bytes.append(contentsOf: field.utf8) }
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    for byte in field.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  private static func needsQuotes(_ field: String) -> Bool {
    let space = UInt8(ascii: " ")
    return field.utf8.first == space || field.utf8.last == space
      || field.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D }
  }
}

internal import SaverText

/// Rows of tab-separated values: one line a row and the same number of fields in each, whatever they hold, because
/// `TabSeparated` escapes tabs, line breaks and backslashes.
package enum TSVText {
  /// Appends one row with its line end, LF.
  package static func append(row fields: some Sequence<String>, to bytes: inout [UInt8]) {
    var isFirst = true
    for field in fields {
      if !isFirst { bytes.append(UInt8(ascii: "\t")) }
      isFirst = false
      bytes.append(contentsOf: TabSeparated.escaped(field).utf8)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}

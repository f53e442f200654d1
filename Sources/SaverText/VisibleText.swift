/// Text made safe for a terminal and for a reader: nothing in it moves the cursor, changes a colour, breaks the line
/// or turns the reading direction.
///
/// Escaped are C0 and C1 control characters and DEL, the line and paragraph separators, and the bidirectional
/// controls (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), each written as in a Swift literal: `\t`,
/// `\n`, `\r`, else `\u{1B}`. A backslash stays as it is, so the result is for reading, not for decoding;
/// `TabSeparated` can be decoded.
public enum VisibleText {
  /// The text on one line with every control visible.
  public static func escaped(_ text: String) -> String {
    guard mayNeedEscape(text) else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      if needsEscape(scalar) {
        appendEscape(of: scalar, to: &result)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Over a span, as in `CellWidth`: nearly all texts end here.
  private static func mayNeedEscape(_ text: String) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices where mayBeginEscape(bytes[index]) { return true }
    return false
  }

  /// The same for bytes that may not be text, such as a file name: a byte that is not valid UTF-8 is shown as `\x{FF}`.
  public static func escaped(utf8 bytes: some Sequence<UInt8>) -> String {
    var result = ""
    var remaining = Array(bytes)[...]
    while !remaining.isEmpty {
      // The longest valid beginning, then one byte that does not belong to any.
      var valid = remaining.endIndex
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: remaining.span)
      } catch {
        valid = remaining.startIndex + error.byteOffsets.lowerBound
      }
      result += escaped(String(decoding: remaining[..<valid], as: UTF8.self))
      remaining = remaining[valid...]
      if let byte = remaining.popFirst() {
        result += "\\x{" + hexadecimal(UInt32(byte)) + "}"
      }
    }
    return result
  }

  /// Whether the scalar is one of those that are escaped.
  public static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether a scalar that is escaped may begin with this byte of UTF-8; a quick test for texts that need nothing.
  public static func mayBeginEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xD8 || byte == 0xE2
  }

  /// Appends `\t`, `\n`, `\r` or `\u{1B}`.
  static func appendEscape(of scalar: Unicode.Scalar, to result: inout String) {
    switch scalar {
    case "\t": result += "\\t"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    default: result += "\\u{" + hexadecimal(scalar.value) + "}"
    }
  }

  /// At least two digits, upper-case.
  private static func hexadecimal(_ value: UInt32) -> String {
    (value < 0x10 ? "0" : "") + String(value, radix: 16, uppercase: true)
  }
}

internal import SaverText

/// Strings in JSON, written as UTF-8 bytes.
///
/// Escaped is what JSON asks for (`"`, `\`, the characters below U+0020, with short forms where there are) and what a
/// terminal or a reader must not meet raw, as `VisibleText` lists it: DEL, the C1 controls, the line separators
/// and the bidirectional controls, all as `\uXXXX`. A parser gets the exact text back; all else is raw UTF-8.
package enum JSONText {
  /// Appends the text in quotes.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      if utf8.contains(where: mayNeedEscape) {
        appendEscaped(utf8, to: &bytes)
      } else {
        bytes.append(contentsOf: utf8)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func mayNeedEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || VisibleText.mayBeginEscape(byte)
  }

  private static func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var codec = UTF8()
    var iterator = utf8.makeIterator()
    while case .scalarValue(let scalar) = codec.decode(&iterator) {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
      case "\n": bytes += "\\n".utf8
      case "\r": bytes += "\\r".utf8
      case "\t": bytes += "\\t".utf8
      case "\u{8}": bytes += "\\b".utf8
      case "\u{C}": bytes += "\\f".utf8
      case _ where VisibleText.needsEscape(scalar): appendHexadecimal(UInt16(scalar.value), to: &bytes)
      default: bytes += UTF8.encode(scalar)!
      }
    }
  }

  /// All escaped scalars are within 16 bits.
  private static func appendHexadecimal(_ value: UInt16, to bytes: inout [UInt8]) {
    bytes += "\\u".utf8
    for shift in [12, 8, 4, 0] {
      bytes.append(Array("0123456789abcdef".utf8)[Int(value >> UInt16(shift) & 0xF)])
    }
  }
}

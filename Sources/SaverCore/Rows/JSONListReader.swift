/// Reads a JSON array of strings (RFC 8259), as any program may have written it: white space and escapes included.
struct JSONListReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The whole list; `nil` if the bytes are anything else.
  mutating func list() -> [String]? {
    var list: [String] = []
    guard take("[") else { return nil }
    if !take("]") {
      repeat {
        guard let text = string() else { return nil }
        list.append(text)
      } while take(",")
      guard take("]") else { return nil }
    }
    skipWhiteSpace()
    return position == bytes.count ? list : nil
  }

  /// Calls `body` with the bytes of each element, making no text of any; `false`, before any call, if that cannot be
  /// done: where something is escaped, is not ASCII, or where the bytes are no list.
  static func forEachPlainElement(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    for byte in bytes where byte >= 0x80 || byte == UInt8(ascii: "\\") { return false }
    var reader = JSONListReader(bytes)
    guard reader.walkPlainElements({ _ in }) else { return false }
    reader.position = 0
    return reader.walkPlainElements(body)
  }

  private mutating func walkPlainElements(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard take("[") else { return false }
    if !take("]") {
      repeat {
        guard let element = plainElement() else { return false }
        body(element)
      } while take(",")
      guard take("]") else { return false }
    }
    skipWhiteSpace()
    return position == bytes.count
  }

  private mutating func plainElement() -> UnsafeRawBufferPointer? {
    guard take("\"") else { return nil }
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return UnsafeRawBufferPointer(rebasing: bytes[start..<position - 1]) }
      if byte < 0x20 { return nil }
    }
    return nil
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0a, 0x0d: position += 1
      default: return
      }
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipWhiteSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func string() -> String? {
    guard take("\"") else { return nil }
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return String(validating: UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
      case UInt8(ascii: "\\"):
        return escapedString(from: start)
      case 0..<0x20:
        return nil
      default:
        position += 1
      }
    }
    return nil
  }

  /// The rare case: at least one escape, at `position`.
  private mutating func escapedString(from start: Int) -> String? {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return text.withUnsafeBytes { String(validating: $0) }
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        text.append(contentsOf: UTF8.encode(scalar)!)
      case 0..<0x20: return nil
      default: text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return unicodeEscape()
    default: return nil
    }
  }

  /// `uXXXX`, or a surrogate pair of two.
  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard let first = fourDigits() else { return nil }
    guard (0xd800..<0xdc00).contains(first) else { return Unicode.Scalar(first) }
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    else { return nil }
    position += 2
    guard let second = fourDigits(), (0xdc00..<0xe000).contains(second) else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
  }

  private mutating func fourDigits() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }
}

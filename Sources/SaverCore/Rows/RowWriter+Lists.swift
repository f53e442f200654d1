extension RowWriter {
  /// A JSON array of strings without white space. Escapes what JSON must escape and nothing else.
  mutating func writeJSON(_ list: [String]) {
    write(byte: UInt8(ascii: "["))
    for (index, text) in list.enumerated() {
      if index > 0 { write(byte: UInt8(ascii: ",")) }
      write(byte: UInt8(ascii: "\""))
      for byte in text.utf8 { writeJSON(byte) }
      write(byte: UInt8(ascii: "\""))
    }
    write(byte: UInt8(ascii: "]"))
  }

  private mutating func writeJSON(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      write(byte: UInt8(ascii: "\\"))
      write(byte: byte)
    case 0..<0x20:
      let digits: StaticString = "0123456789abcdef"
      for character in "\\u00".utf8 { write(byte: character) }
      write(byte: digits.utf8Start[Int(byte >> 4)])
      write(byte: digits.utf8Start[Int(byte & 15)])
    default:
      write(byte: byte)
    }
  }

  /// A MessagePack array of str (https://github.com/msgpack/msgpack/blob/master/spec.md).
  mutating func writeMessagePack(_ list: [String]) {
    MessagePack.header(.array, count: list.count) { write(byte: $0) }
    for var text in list {
      text.withUTF8 { bytes in
        MessagePack.header(.text, count: bytes.count) { write(byte: $0) }
        write(UnsafeRawBufferPointer(bytes))
      }
    }
  }
}

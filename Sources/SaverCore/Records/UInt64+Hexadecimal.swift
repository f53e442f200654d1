extension UInt64 {
  /// In lower-case hexadecimal, with zeros in front if it has fewer digits.
  func hexadecimal(digits: Int) -> String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(digits - text.utf8.count, 0)) + text
  }
}

/// One field of a line whose fields are separated by tabs.
///
/// A tab is written `\t`, a line feed `\n`, a carriage return `\r`, a backslash `\\`, and every other control that
/// `VisibleText` shows as `\u{1B}`; so a field never holds a tab or a line break, and it can be decoded exactly.
public enum TabSeparated {
  /// The text as one field.
  public static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x5C || VisibleText.mayBeginEscape($0) }) else { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      if scalar == "\\" {
        result += "\\\\"
      } else if VisibleText.needsEscape(scalar) {
        VisibleText.appendEscape(of: scalar, to: &result)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text that was escaped; a backslash that begins no escape stands for itself.
  public static func unescaped(_ field: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = field.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let (meaning, length) = escape(at: rest) else {
        result.append(scalar)
        continue
      }
      result.append(meaning)
      rest = rest.dropFirst(length)
    }
    return String(result)
  }

  /// What the scalars after a backslash mean, and how many of them belong to it.
  private static func escape(at rest: Substring.UnicodeScalarView) -> (Unicode.Scalar, length: Int)? {
    switch rest.first {
    case "t": return ("\t", 1)
    case "n": return ("\n", 1)
    case "r": return ("\r", 1)
    case "\\": return ("\\", 1)
    case "u":
      guard rest.dropFirst().first == "{", let end = rest.firstIndex(of: "}") else { return nil }
      let digits = rest[rest.startIndex..<end].dropFirst(2)
      guard let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value) else { return nil }
      return (scalar, rest.distance(from: rest.startIndex, to: end) + 1)
    default: return nil
    }
  }
}

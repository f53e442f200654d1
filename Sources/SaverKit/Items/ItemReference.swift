public import FoundationEssentials
import SaverCore

/// How a person names an item: by its whole id, or by any beginning or end of it, of at least four digits.
public struct ItemReference: Hashable, Sendable, CustomStringConvertible {
  /// Lower-case hexadecimal digits, without hyphens: 4 to 32 of them.
  let digits: String
  /// As it was written.
  public let description: String

  public static let digitsMin = 4

  /// `nil` if the text is no part of an id: other characters, too few digits, too many.
  public init?(_ text: String) {
    let digits = text.lowercased().filter { $0 != "-" }
    guard (Self.digitsMin...32).contains(digits.utf8.count), digits.utf8.allSatisfy({ Self.isDigit($0) }) else {
      return nil
    }
    self.digits = digits
    description = text
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte)
  }

  public init(_ id: UUID) {
    description = id.hexadecimalDigits
    digits = description
  }

  /// The ids that begin with the digits lie between these two.
  var range: ClosedRange<UUID> {
    func filled(_ digit: Character) -> UUID {
      let all = digits + String(repeating: digit, count: 32 - digits.utf8.count)
      var bytes = all.utf8[...]
      var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      withUnsafeMutableBytes(of: &uuid) { target in
        for index in target.indices {
          target[index] = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16) ?? 0
          bytes.removeFirst(2)
        }
      }
      return UUID(uuid: uuid)
    }
    return filled("0")...filled("f")
  }

  func isEnd(of id: UUID) -> Bool { id.hexadecimalDigits.hasSuffix(digits) }
}

import Glibc

extension UnsafeRawBufferPointer {
  /// Whether these are the same bytes: what `elementsEqual` says, which goes through them one by one.
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let baseAddress, let otherBase = other.baseAddress else { return true }
    return memcmp(baseAddress, otherBase, count) == 0
  }

  /// Whether these bytes stand before others in the order of their values: those of a key that another begins with do.
  func comes(before other: UnsafeRawBufferPointer) -> Bool {
    let common = Swift.min(count, other.count)
    let order = common == 0 ? 0 : memcmp(baseAddress!, other.baseAddress!, common)
    return order != 0 ? order < 0 : count < other.count
  }

  /// Whether they are those of an array.
  package func isSame(as other: [UInt8]) -> Bool {
    other.withUnsafeBytes { isSame(as: $0) }
  }
}

import Glibc

extension UnsafeRawBufferPointer {
  /// Whether these are the same bytes: what `elementsEqual` says, which goes through them one by one.
  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let baseAddress, let otherBase = other.baseAddress else { return true }
    return memcmp(baseAddress, otherBase, count) == 0
  }

  /// Whether they are those of an array.
  package func isSame(as other: [UInt8]) -> Bool {
    other.withUnsafeBytes { isSame(as: $0) }
  }

  /// Whether these bytes stand before others, as texts and keys sort: what another begins with stands before it.
  func comes(before other: UnsafeRawBufferPointer) -> Bool { Slot.order(self, other) < 0 }
}

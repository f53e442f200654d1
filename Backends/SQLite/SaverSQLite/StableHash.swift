#if SQLite
/// A hash that is the same in every process and every version of the program: FNV-1a, 64 bits.
///
/// It tells things apart that differ by chance. Whoever wants two contents with one hash can make them.
struct StableHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds bytes, and an end, so that neighbours do not run into each other.
  mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
    add(0xff)
  }

  mutating func combine(_ number: UInt64) {
    var rest = number
    for _ in 0..<8 {
      add(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  private mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
}
#endif

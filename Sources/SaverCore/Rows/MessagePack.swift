/// The part of MessagePack that rows use (https://github.com/msgpack/msgpack/blob/master/spec.md).
///
/// nil, bool, int, float 64, str, bin and array. Numbers are big-endian.
public enum MessagePack {
  public enum Container: Sendable {
    case text, blob, array
  }

  /// Writes the shortest header of a container of `count` bytes or elements, byte by byte.
  @inlinable public static func header(_ container: Container, count: Int, to write: (UInt8) -> Void) {
    let short: (limit: Int, tag: UInt8)
    let tags: (one: UInt8?, two: UInt8, four: UInt8)
    switch container {
    case .text: (short, tags) = ((32, 0xa0), (0xd9, 0xda, 0xdb))
    case .blob: (short, tags) = ((0, 0), (0xc4, 0xc5, 0xc6))
    case .array: (short, tags) = ((16, 0x90), (nil, 0xdc, 0xdd))
    }
    let size = UInt32(clamping: count)
    if count < short.limit {
      write(short.tag | UInt8(truncatingIfNeeded: count))
    } else if let one = tags.one, count < 1 << 8 {
      write(one)
      write(UInt8(truncatingIfNeeded: size))
    } else if count < 1 << 16 {
      write(tags.two)
      write(UInt8(truncatingIfNeeded: size >> 8))
      write(UInt8(truncatingIfNeeded: size))
    } else {
      write(tags.four)
      for shift in [24, 16, 8, 0] as [UInt32] { write(UInt8(truncatingIfNeeded: size >> shift)) }
    }
  }
}

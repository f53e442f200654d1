import Glibc

/// Bytes whose order is the order of the values in them: keys of indexes, and of sorting.
///
/// The layout is FoundationDB's tuple layer
/// (https://github.com/apple/foundationdb/blob/main/design/tuple.md): null 0x00, bytes 0x01, text 0x02 (both with 0x00
/// written as 0x00 0xff and ended by 0x00), integers 0x0c to 0x1c, double 0x21, false 0x26, true 0x27, UUID 0x30.
///
/// A value that sorts descending has all its bytes complemented, and two codes of its own, for this: the end of a text,
/// 0x00, is told from an escaped 0x00 by what follows, 0xff there and anything less here. So no value may begin with
/// 0xff (a descending null is 0x01 before it is complemented, and bytes begin with 0x02), and a descending text or blob,
/// whose end is 0xff, has a second 0x00. Keys of indexes are never descending.
public struct TupleBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  public private(set) var count = 0

  public init(capacity: Int = 512) {
    self.capacity = max(capacity, 64)
    base = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit {
    base.deallocate()
  }

  /// Valid until the next change.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  public mutating func removeAll() { count = 0 }

  /// - Precondition: the buffer has at least this many bytes.
  public mutating func truncate(to count: Int) {
    precondition(count <= self.count)
    self.count = count
  }

  public mutating func append(byte: UInt8) {
    reserve(1)
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  public mutating func append(bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    if let start = bytes.baseAddress { (base + count).copyMemory(from: start, byteCount: bytes.count) }
    count += bytes.count
  }

  /// Appends a column's value. A value that is not of the type is appended as null.
  public mutating func append(_ slot: Slot, as type: FieldType, descending: Bool = false) {
    let start = count
    switch (type, slot.kind) {
    case (.bool, .integer): append(byte: slot.bits == 0 ? 0x26 : 0x27)
    case (.int, .integer): append(integer: slot.integer)
    case (.double, .real), (.double, .integer), (.date, .real), (.date, .integer): append(double: slot.number)
    case (.string, .text): append(0x02, escaping: slot.bytes)
    case (.data, .blob): append(descending ? 0x02 : 0x01, escaping: slot.bytes)
    case (.uuid, .blob) where slot.bits == 16:
      append(byte: 0x30)
      append(bytes: slot.bytes)
    default: append(byte: descending ? 0x01 : 0x00)
    }
    if descending {
      if type == .string || type == .data { append(byte: 0x00) }
      complement(from: start)
    }
  }

  public mutating func append(_ value: StoredValue, as type: FieldType, descending: Bool = false) {
    let encoded = EncodedValue(value)
    withExtendedLifetime(encoded) { append(encoded.slot, as: type, descending: descending) }
  }

  private mutating func append(integer value: Int64) {
    if value == 0 { return append(byte: 0x14) }
    let magnitude = value.magnitude
    let size = (64 - magnitude.leadingZeroBitCount + 7) / 8
    append(byte: value > 0 ? 0x14 + UInt8(size) : 0x14 - UInt8(size))
    // A negative number is written as its complement in `size` bytes, so that the most negative comes first.
    let bits = value > 0 ? magnitude : ~magnitude
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
      append(byte: UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  private mutating func append(double value: Double) {
    let bits = value.bitPattern
    let ordered = bits >> 63 == 1 ? ~bits : bits ^ (1 << 63)
    append(byte: 0x21)
    withUnsafeBytes(of: ordered.bigEndian) { append(bytes: $0) }
  }

  private mutating func append(_ code: UInt8, escaping bytes: UnsafeRawBufferPointer) {
    append(byte: code)
    if let start = bytes.baseAddress, memchr(start, 0, bytes.count) != nil {
      for byte in bytes {
        append(byte: byte)
        if byte == 0 { append(byte: 0xff) }
      }
    } else {
      append(bytes: bytes)
    }
    append(byte: 0x00)
  }

  private mutating func complement(from start: Int) {
    for offset in start..<count {
      base.storeBytes(of: ~base.load(fromByteOffset: offset, as: UInt8.self), toByteOffset: offset, as: UInt8.self)
    }
  }

  private mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = larger
  }
}

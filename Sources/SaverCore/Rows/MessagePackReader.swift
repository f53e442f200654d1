/// A bounds-checked cursor over a MessagePack value.
///
/// Every function returns `nil` or `false` where the bytes are not what it reads, and then has not moved.
@frozen public struct MessagePackReader {
  public var position: UnsafeRawPointer
  public let end: UnsafeRawPointer

  /// Makes a cursor at the start of `bytes`; `nil` if there are none.
  @inlinable public init?(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return nil }
    position = base
    end = base + bytes.count
  }

  @inlinable public var remaining: Int { end - position }
  @inlinable public var isAtEnd: Bool { position == end }

  @inlinable func number<Number: FixedWidthInteger>(at offset: Int, as: Number.Type) -> Number {
    Number(bigEndian: (position + offset).loadUnaligned(as: Number.self))
  }

  /// Reads the header of an array: the number of its elements.
  @inlinable public mutating func arrayHeader() -> Int? {
    guard remaining > 0 else { return nil }
    let tag = position.load(as: UInt8.self)
    if tag & 0xf0 == 0x90 {
      position += 1
      return Int(tag & 15)
    }
    if tag == 0xdc, remaining >= 3 {
      let count = Int(number(at: 1, as: UInt16.self))
      position += 3
      return count
    }
    if tag == 0xdd, remaining >= 5 {
      let count = Int(number(at: 1, as: UInt32.self))
      position += 5
      return count
    }
    return nil
  }

  /// Reads a str: its bytes, not checked for valid UTF-8.
  @inlinable public mutating func text() -> UnsafeRawBufferPointer? {
    guard remaining > 0 else { return nil }
    let tag = position.load(as: UInt8.self)
    let header: Int
    let count: Int
    if tag & 0xe0 == 0xa0 {
      (header, count) = (1, Int(tag & 31))
    } else if tag == 0xd9, remaining >= 2 {
      (header, count) = (2, Int(number(at: 1, as: UInt8.self)))
    } else if tag == 0xda, remaining >= 3 {
      (header, count) = (3, Int(number(at: 1, as: UInt16.self)))
    } else if tag == 0xdb, remaining >= 5 {
      (header, count) = (5, Int(number(at: 1, as: UInt32.self)))
    } else {
      return nil
    }
    return take(header: header, count: count)
  }

  /// Reads a bin.
  @inlinable public mutating func blob() -> UnsafeRawBufferPointer? {
    guard remaining > 1 else { return nil }
    switch position.load(as: UInt8.self) {
    case 0xc4: return take(header: 2, count: Int(number(at: 1, as: UInt8.self)))
    case 0xc5 where remaining >= 3: return take(header: 3, count: Int(number(at: 1, as: UInt16.self)))
    case 0xc6 where remaining >= 5: return take(header: 5, count: Int(number(at: 1, as: UInt32.self)))
    default: return nil
    }
  }

  @inlinable mutating func take(header: Int, count: Int) -> UnsafeRawBufferPointer? {
    guard remaining >= header + count else { return nil }
    let bytes = UnsafeRawBufferPointer(start: position + header, count: count)
    position += header + count
    return bytes
  }

  /// Reads one value of a row into a slot; an array of str becomes a list that is not taken apart.
  @inlinable public mutating func read(into slot: UnsafeMutablePointer<Slot>) -> Bool {
    guard remaining > 0 else { return false }
    let tag = position.load(as: UInt8.self)
    switch tag {
    case 0xa0...0xbf, 0xd9...0xdb:
      guard let bytes = text() else { return false }
      slot.pointee = .bytes(.text, bytes.baseAddress, bytes.count)
    case 0xcb where remaining >= 9:
      slot.pointee = Slot(kind: .real, bits: number(at: 1, as: UInt64.self))
      position += 9
    case 0xc0:
      slot.pointee = .null
      position += 1
    case 0xc4...0xc6:
      guard let bytes = blob() else { return false }
      slot.pointee = .bytes(.blob, bytes.baseAddress, bytes.count)
    default:
      return readRare(tag, into: slot)
    }
    return true
  }

  @inline(never) @usableFromInline
  mutating func readRare(_ tag: UInt8, into slot: UnsafeMutablePointer<Slot>) -> Bool {
    switch tag {
    case 0x90...0x9f, 0xdc, 0xdd:
      let start = self
      guard let count = arrayHeader() else { return false }
      for _ in 0..<count where text() == nil {
        self = start
        return false
      }
      slot.pointee = .bytes(.packedList, start.position, position - start.position)
      return true
    default:
      guard let value = integer(tag) else { return false }
      slot.pointee = .integer(value)
      return true
    }
  }

  /// Reads an int of any width, or a bool as 0 or 1.
  mutating func integer(_ tag: UInt8) -> Int64? {
    func needs(_ count: Int, _ value: () -> Int64?) -> (Int, Int64)? {
      guard remaining > count, let value = value() else { return nil }
      return (1 + count, value)
    }
    let found: (size: Int, value: Int64)? =
      switch tag {
      case 0x00...0x7f: (1, Int64(tag))
      case 0xe0...0xff: (1, Int64(Int8(bitPattern: tag)))
      case 0xc2, 0xc3: (1, Int64(tag & 1))
      case 0xcc: needs(1) { Int64(number(at: 1, as: UInt8.self)) }
      case 0xcd: needs(2) { Int64(number(at: 1, as: UInt16.self)) }
      case 0xce: needs(4) { Int64(number(at: 1, as: UInt32.self)) }
      case 0xcf: needs(8) { Int64(exactly: number(at: 1, as: UInt64.self)) }
      case 0xd0: needs(1) { Int64(number(at: 1, as: Int8.self)) }
      case 0xd1: needs(2) { Int64(number(at: 1, as: Int16.self)) }
      case 0xd2: needs(4) { Int64(number(at: 1, as: Int32.self)) }
      case 0xd3: needs(8) { number(at: 1, as: Int64.self) }
      default: nil
      }
    guard let found else { return nil }
    position += found.size
    return found.value
  }
}

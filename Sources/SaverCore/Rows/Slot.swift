/// One column of one row, in the memory of the engine that read it.
///
/// A slot is 17 bytes of plain data: no reference counting, no copy of the content. Texts, blobs and lists point into
/// the engine's memory and are valid only as long as the ``RowView`` that shows them.
@frozen public struct Slot {
  @frozen public enum Kind: UInt8, Sendable {
    case null
    /// A signed 64-bit integer in `bits`; booleans are 0 and 1.
    case integer
    /// The bit pattern of an IEEE 754 double in `bits`; dates are seconds since 1970-01-01 00:00 UTC.
    case real
    /// UTF-8, not terminated; nothing has checked yet that it is valid.
    case text
    /// Bytes; a UUID is 16 of them.
    case blob
    /// A list of texts as a JSON array.
    case jsonList
    /// A list of texts as a MessagePack array.
    case packedList
  }

  /// Where the bytes of a text, blob or list begin; `nil` for other kinds, and allowed for an empty content.
  public var pointer: UnsafeRawPointer?
  /// The integer, the double's bit pattern, or the number of bytes at `pointer`.
  public var bits: UInt64
  public var kind: Kind

  @inlinable public init(kind: Kind, bits: UInt64 = 0, pointer: UnsafeRawPointer? = nil) {
    self.kind = kind
    self.bits = bits
    self.pointer = pointer
  }

  @inlinable public static var null: Slot { Slot(kind: .null) }

  @inlinable public static func integer(_ value: Int64) -> Slot {
    Slot(kind: .integer, bits: UInt64(bitPattern: value))
  }

  @inlinable public static func real(_ value: Double) -> Slot {
    Slot(kind: .real, bits: value.bitPattern)
  }

  @inlinable public static func bytes(_ kind: Kind, _ pointer: UnsafeRawPointer?, _ count: Int) -> Slot {
    Slot(kind: kind, bits: UInt64(truncatingIfNeeded: count), pointer: pointer)
  }

  /// The content of a text, blob or list. Empty for other kinds.
  @inlinable public var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: pointer, count: pointer == nil ? 0 : Int(truncatingIfNeeded: bits))
  }

  @inlinable public var integer: Int64 { Int64(bitPattern: bits) }
  @inlinable public var real: Double { Double(bitPattern: bits) }
}

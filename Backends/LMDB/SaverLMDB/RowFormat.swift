#if LMDB
import CLMDB
import SaverCore

/// The values of row databases: a MessagePack array of the fields, in the schema's order.
enum RowFormat {
  /// Stands for a column that the value lacks, or has in a type that no field has: no field decodes it, optional ones
  /// included, so that a damaged row is never taken for one with nils.
  private static var unreadable: Slot { .bytes(.jsonList, UnsafeRawPointer(("?" as StaticString).utf8Start), 1) }

  /// Takes a row apart without copying: texts, blobs and lists stay where they are. The id is that of the key.
  @inline(__always)
  static func read(_ value: MDB_val, key: MDB_val, into slots: UnsafeMutablePointer<Slot>, count: Int) {
    var column = 0
    if var reader = MessagePackReader(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)),
      let found = reader.arrayHeader()
    {
      let end = min(found, count)
      while column < end, reader.read(into: slots + column) { column += 1 }
    }
    if column < count { markUnreadable(slots, from: column, to: count) }
    slots[0] = .bytes(.blob, key.mv_data, key.mv_size)
  }

  @inline(never)
  private static func markUnreadable(_ slots: UnsafeMutablePointer<Slot>, from start: Int, to end: Int) {
    for column in start..<end { slots[column] = unreadable }
  }
}

/// Writes rows as ``RowFormat`` says, into memory that it uses again and again.
struct RowEncoder: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity = 4_096
  private var count = 0

  init() {
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    base.deallocate()
  }

  /// Valid until the next row is encoded.
  var value: MDB_val { MDB_val(mv_size: count, mv_data: base) }

  mutating func encode(_ row: borrowing RowView, _ table: Table) {
    count = 0
    var size = 5
    for column in 0..<row.count { size += 9 + row[slot: column].bytes.count }
    if size > capacity { grow(toHold: size) }
    header(.array, row.count)
    for column in 0..<row.count { write(row[slot: column], isBoolean: table.isBoolean[column]) }
  }

  /// Begins a row of values that are appended one by one.
  mutating func begin(columns: Int) {
    count = 0
    grow(toHold: 5)
    header(.array, columns)
  }

  /// Appends a value that is encoded already.
  mutating func append(encoded bytes: UnsafeRawBufferPointer) {
    if count + bytes.count > capacity { grow(toHold: bytes.count) }
    copy(bytes)
  }

  mutating func append(_ slot: Slot, isBoolean: Bool) {
    if count + 9 + slot.bytes.count > capacity { grow(toHold: 9 + slot.bytes.count) }
    write(slot, isBoolean: isBoolean)
  }

  // MARK: Writing, where there is room

  @inline(__always) private mutating func write(_ slot: Slot, isBoolean: Bool) {
    switch slot.kind {
    case .null: byte(0xc0)
    case .text:
      header(.text, slot.bytes.count)
      copy(slot.bytes)
    case .blob:
      header(.blob, slot.bytes.count)
      copy(slot.bytes)
    // Lists come encoded; the JSON kind is never asked for.
    case .packedList, .jsonList: copy(slot.bytes)
    case .real:
      byte(0xcb)
      number(slot.bits)
    case .integer:
      if isBoolean { byte(slot.bits == 0 ? 0xc2 : 0xc3) } else { integer(slot.integer) }
    }
  }

  /// The shortest form.
  @inline(__always) private mutating func integer(_ value: Int64) {
    switch value {
    case -32...127: byte(UInt8(truncatingIfNeeded: value))
    case 128...0xff:
      byte(0xcc)
      byte(UInt8(truncatingIfNeeded: value))
    case 0x100...0xffff:
      byte(0xcd)
      number(UInt16(truncatingIfNeeded: value))
    case 0x1_0000...0xffff_ffff:
      byte(0xce)
      number(UInt32(truncatingIfNeeded: value))
    case 0x1_0000_0000...:
      byte(0xcf)
      number(UInt64(bitPattern: value))
    case -0x80..<(-32):
      byte(0xd0)
      byte(UInt8(truncatingIfNeeded: value))
    case -0x8000..<(-0x80):
      byte(0xd1)
      number(UInt16(truncatingIfNeeded: value))
    case -0x8000_0000..<(-0x8000):
      byte(0xd2)
      number(UInt32(truncatingIfNeeded: value))
    default:
      byte(0xd3)
      number(UInt64(bitPattern: value))
    }
  }

  @inline(__always) private mutating func header(_ container: MessagePack.Container, _ size: Int) {
    MessagePack.header(container, count: size) { byte($0) }
  }

  @inline(__always) private mutating func byte(_ value: UInt8) {
    base.storeBytes(of: value, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always) private mutating func number<Number: FixedWidthInteger>(_ value: Number) {
    base.storeBytes(of: value.bigEndian, toByteOffset: count, as: Number.self)
    count += MemoryLayout<Number>.size
  }

  @inline(__always) private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress { (base + count).copyMemory(from: start, byteCount: bytes.count) }
    count += bytes.count
  }

  private mutating func grow(toHold more: Int) {
    guard count + more > capacity else { return }
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = larger
  }
}
#endif

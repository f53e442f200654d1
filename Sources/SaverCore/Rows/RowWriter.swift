/// Collects one row to be written: a slot for each column, and an arena that holds their bytes.
///
/// An engine keeps one writer and fills it again and again: ``begin()``, the schema's `encode`, ``finish(_:)``. Nothing
/// is allocated once the arena has grown to the largest row.
public struct RowWriter: ~Copyable {
  /// How lists of texts are to be encoded: the engine says so, once.
  public enum ListEncoding: Sendable {
    case json, messagePack
  }

  @usableFromInline let listEncoding: ListEncoding
  @usableFromInline let slots: UnsafeMutablePointer<Slot>
  @usableFromInline let capacity: Int
  @usableFromInline var count = 0
  @usableFromInline var arena: UnsafeMutableRawPointer
  @usableFromInline var arenaCapacity: Int
  @usableFromInline var used = 0
  @usableFromInline var failure: RowError?

  public init(columns: Int, listEncoding: ListEncoding) {
    self.listEncoding = listEncoding
    capacity = columns
    slots = .allocate(capacity: max(columns, 1))
    slots.initialize(repeating: .null, count: max(columns, 1))
    arenaCapacity = 4096
    arena = .allocate(byteCount: arenaCapacity, alignment: 16)
  }

  deinit {
    slots.deallocate()
    arena.deallocate()
  }

  @inlinable public mutating func begin() {
    count = 0
    used = 0
    failure = nil
  }

  @inlinable public mutating func append(_ slot: Slot) {
    precondition(count < capacity, "more values than columns")
    slots[count] = slot
    count += 1
  }

  /// Appends a text or blob, copied into the arena.
  @inlinable public mutating func append(_ kind: Slot.Kind, copying bytes: UnsafeRawBufferPointer) {
    let start = used
    write(bytes)
    appendArena(kind, from: start)
  }

  /// Appends the columns of a row as they are: from the same engine, so that lists have its encoding already.
  public mutating func append(copying row: borrowing RowView) {
    for column in 0..<row.count {
      let slot = row[slot: column]
      switch slot.kind {
      case .text, .blob, .jsonList, .packedList: append(slot.kind, copying: slot.bytes)
      case .null, .integer, .real: append(slot)
      }
    }
  }

  /// Appends a list of texts in the encoding that the engine wants.
  public mutating func append(list: [String]) {
    let start = used
    switch listEncoding {
    case .json:
      writeJSON(list)
      appendArena(.jsonList, from: start)
    case .messagePack:
      writeMessagePack(list)
      appendArena(.packedList, from: start)
    }
  }

  /// Marks the row as one that cannot be stored. The first reason is kept; ``finish(_:)`` throws it.
  public mutating func fail(_ reason: String) {
    if failure == nil { failure = RowError(column: count, reason: reason) }
    append(.null)
  }

  /// Hands the finished row to `body`. The view is valid only there.
  ///
  /// - Throws: the ``RowError`` of a value that cannot be stored, and what `body` throws.
  public mutating func finish<Result>(_ body: (borrowing RowView) throws -> Result) throws -> Result {
    if let failure { throw failure }
    // The arena may have moved while it grew: until now the slots hold offsets, one more than the position so that
    // an empty content at 0 has a pointer too.
    for column in 0..<count {
      switch slots[column].kind {
      case .text, .blob, .jsonList, .packedList:
        slots[column].pointer = UnsafeRawPointer(arena + (Int(bitPattern: slots[column].pointer) - 1))
      case .null, .integer, .real: break
      }
    }
    return try body(RowView(slots: UnsafePointer(slots), count: count))
  }

  @inlinable mutating func appendArena(_ kind: Slot.Kind, from start: Int) {
    append(.bytes(kind, UnsafeRawPointer(bitPattern: start + 1), used - start))
  }

  @inlinable mutating func write(_ bytes: UnsafeRawBufferPointer) {
    if used + bytes.count > arenaCapacity { grow(toHold: bytes.count) }
    if let base = bytes.baseAddress { (arena + used).copyMemory(from: base, byteCount: bytes.count) }
    used += bytes.count
  }

  @inlinable mutating func write(byte: UInt8) {
    if used == arenaCapacity { grow(toHold: 1) }
    arena.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
    used += 1
  }

  @usableFromInline mutating func grow(toHold more: Int) {
    let capacity = max(arenaCapacity * 2, used + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: arena, byteCount: used)
    arena.deallocate()
    arena = larger
    arenaCapacity = capacity
  }
}

import Glibc

/// The lists of texts that were decoded last, found again by their bytes.
///
/// Tags repeat from row to row, and a list costs several allocations to decode. An engine keeps one cache for each
/// transaction object; it is used by one thread at a time.
public final class StringListCache {
  private static let entryCount = 64
  private static let bytesMax = 64

  private struct Entry {
    var count = -1
    var list: [String] = []
  }

  // MARK: Mutable state
  // Owned by the one thread that uses the transaction.
  private var entries = [Entry](repeating: Entry(), count: entryCount)
  private let bytes: UnsafeMutableRawPointer

  public init() {
    bytes = .allocate(byteCount: Self.entryCount * Self.bytesMax, alignment: 16)
  }

  deinit {
    bytes.deallocate()
  }

  /// The list that a slot holds.
  @usableFromInline func list(_ slot: Slot, _ column: Int) throws -> [String] {
    let count = slot.bytes.count
    guard slot.kind == .packedList || slot.kind == .jsonList || slot.kind == .text, count > 2, count <= Self.bytesMax,
      let pointer = slot.pointer
    else {
      return try StringList.decode(slot, column)
    }
    let index = Int(Self.hash(slot.bytes) % UInt64(Self.entryCount))
    let known = bytes + index * Self.bytesMax
    if entries[index].count == count, memcmp(known, pointer, count) == 0 { return entries[index].list }
    let list = try StringList.decode(slot, column)
    known.copyMemory(from: pointer, byteCount: count)
    entries[index] = Entry(count: count, list: list)
    return list
  }

  /// Three bytes and the length tell most lists apart; a collision costs one decoding.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let (first, middle, last) = (bytes[2], bytes[bytes.count / 2], bytes[bytes.count - 2])
    return ((UInt64(bytes.count) &* 31 &+ UInt64(last)) &* 31 &+ UInt64(middle)) &* 7 &+ UInt64(first)
  }
}

public import FoundationEssentials

extension RecordList {
  /// The ids of the records, in their order; a view that copies nothing.
  public var ids: IDs { IDs(list: self) }

  /// The ids of a list.
  public struct IDs: RandomAccessCollection, Sendable {
    fileprivate let list: RecordList

    public var startIndex: Int { 0 }
    public var endIndex: Int { list.count }

    public subscript(position: Int) -> UUID {
      let chunk = list.chunkIndex(holding: position)
      return list.chunks[chunk].ids[position - list.starts[chunk]]
    }
  }

  /// Where the record with this id stands.
  ///
  /// - Complexity: looks through the ids: microseconds for each ten thousand.
  public func index(of id: UUID) -> Int? {
    let sought = IDBits(id)
    for number in chunks.indices {
      if let offset = sought.firstIndex(in: chunks[number].ids) { return starts[number] + offset }
    }
    return nil
  }

  /// Calls `body` with the index of each record whose id is among `ids`, in the order of the list.
  func forEachIndex(of ids: Set<UUID>, _ body: (Int, UUID) -> Void) {
    if ids.count <= 1 {
      if let id = ids.first, let index = index(of: id) { body(index, id) }
      return
    }
    var left = ids.count
    for number in chunks.indices {
      let chunk = chunks[number].ids
      for offset in chunk.indices where ids.contains(chunk[offset]) {
        body(starts[number] + offset, chunk[offset])
        left -= 1
      }
      if left == 0 { return }
    }
  }
}

/// An id as two numbers, which are compared faster than 16 bytes.
private struct IDBits {
  let first: UInt64
  let second: UInt64

  init(_ id: UUID) {
    (first, second) = unsafeBitCast(id.uuid, to: (UInt64, UInt64).self)
  }

  func firstIndex(in ids: [UUID]) -> Int? {
    ids.withUnsafeBytes { bytes in
      for index in ids.indices
      where bytes.loadUnaligned(fromByteOffset: 16 * index, as: UInt64.self) == first
        && bytes.loadUnaligned(fromByteOffset: 16 * index + 8, as: UInt64.self) == second
      {
        return index
      }
      return nil
    }
  }
}

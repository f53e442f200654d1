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
  /// - Complexity: looks through the ids: about 50 µs for the last of 100,000.
  public func index(of id: UUID) -> Int? {
    let sought = IDBits(id)
    for (number, chunk) in chunks.enumerated() {
      let offset = chunk.ids.withUnsafeBytes { ids in
        stride(from: 0, to: ids.count, by: 16).first { IDBits(ids, at: $0) == sought }
      }
      if let offset { return starts[number] + offset / 16 }
    }
    return nil
  }

  /// Calls `body` with the index of each record whose id is among `ids`, in the order of the list.
  func forEachIndex(of ids: Set<UUID>, _ body: (Int, UUID) -> Void) {
    if ids.count == 1, let id = ids.first {
      if let index = index(of: id) { body(index, id) }
      return
    }
    var left = ids.count
    for (number, chunk) in chunks.enumerated() where left > 0 {
      for (offset, id) in chunk.ids.enumerated() where ids.contains(id) {
        body(starts[number] + offset, id)
        left -= 1
      }
    }
  }
}

/// An id as two numbers, which are compared faster than 16 bytes.
private struct IDBits: Equatable {
  let first: UInt64
  let second: UInt64

  init(_ id: UUID) {
    (first, second) = unsafeBitCast(id.uuid, to: (UInt64, UInt64).self)
  }

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    second = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
  }
}

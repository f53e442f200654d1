extension RecordList {
  /// A record, and where it stands.
  // Not a tuple: code that is not specialised looks the type of one up each time.
  typealias Placed = ListDifference<R>.Insertion

  /// The list without the records at some of its indices, and with other records at these indices of the new list.
  ///
  /// - Precondition: both in ascending order; the indices are those of the lists.
  /// - Complexity: O(chunks + the sizes of those that change).
  func splicing(removing removed: [Int], inserting inserted: [Placed]) -> RecordList {
    let records = RecordChunk<R>(capacity: inserted.count)
    var places: [Int] = []
    places.reserveCapacity(inserted.count)
    for number in 0..<inserted.count {
      records.append(inserted[number].record)
      places.append(inserted[number].index)
    }
    return splicing(removing: removed, inserting: places, records)
  }

  /// The same; `records` are of the list's type.
  func splicing(removing removed: [Int], inserting places: [Int], _ records: ListChunk) -> RecordList {
    removed.isEmpty && places.isEmpty ? self : RecordList(spine.splicing(removing: removed, inserting: places, records))
  }

  /// The list with other records of the same ids at some of its indices, given in ascending order.
  func replacing(_ replaced: [Placed]) -> RecordList {
    if replaced.isEmpty { return self }
    var chunks = spine.chunks
    var next = 0
    while next < replaced.count {
      let number = spine.chunkIndex(holding: replaced[next].index)
      let chunk = RecordChunk<R>(capacity: chunks[number].count)
      chunk.append(chunks[number], 0..<chunks[number].count)
      while next < replaced.count, replaced[next].index < spine.starts[number + 1] {
        chunk.replace(replaced[next].index - spine.starts[number], by: replaced[next].record)
        next += 1
      }
      chunks[number] = chunk
    }
    return RecordList(ChunkSpine(chunks: chunks, starts: spine.starts))
  }

  /// The list that a difference makes of this one.
  ///
  /// - Precondition: the difference begins with this list.
  /// - Complexity: O(chunks + the sizes of those that change).
  public func applying(_ difference: ListDifference<R>) -> RecordList {
    // Not key paths: of a generic type, each is made anew when it is used.
    var removed = difference.deleted.map { $0.index }
    var inserted = difference.inserted
    if !difference.moved.isEmpty {
      removed += difference.moved.map { $0.from }
      removed.sort()
      inserted += difference.moved.map { Placed(index: $0.to, record: self[$0.from]) }
      inserted.sort { $0.index < $1.index }
    }
    return splicing(removing: removed, inserting: inserted)
      .replacing(difference.updated.map { Placed(index: $0.index, record: $0.record) })
  }
}

extension RecordList {
  /// A record, and where it stands.
  // Not a tuple: code that is not specialised looks the type of one up each time.
  typealias Placed = ListDifference<R>.Insertion

  /// The list without the records at some of its indices, and with other records at these indices of the new list.
  ///
  /// - Precondition: both in ascending order; the indices are those of the lists.
  /// - Complexity: O(chunks + the sizes of those that change).
  func splicing(removing removed: [Int], inserting inserted: [Placed]) -> RecordList {
    if removed.isEmpty, inserted.isEmpty { return self }
    var builder = RecordListBuilder<R>(reservingChunks: chunks.count + inserted.count / Self.chunkCountMin + 2)
    var removal = 0
    var insertion = 0
    var chunk = 0
    while chunk < chunks.count {
      // The chunks up to the next change are taken over as they are.
      let oldIndex = removal < removed.count ? removed[removal] : Int.max
      let distance = insertion < inserted.count ? inserted[insertion].index - builder.count : Int.max
      let first = chunk
      while chunk < chunks.count, starts[chunk + 1] <= oldIndex, starts[chunk + 1] - starts[first] <= distance {
        chunk += 1
      }
      if chunk > first {
        builder.append(self, first..<chunk)
        continue
      }
      let range = starts[chunk]..<starts[chunk + 1]
      var position = range.lowerBound
      while position < range.upperBound {
        if insertion < inserted.count, inserted[insertion].index == builder.count {
          builder.append(inserted[insertion].record)
          insertion += 1
        } else if removal < removed.count, removed[removal] == position {
          removal += 1
          position += 1
        } else {
          var end = range.upperBound
          if removal < removed.count { end = Swift.min(end, removed[removal]) }
          if insertion < inserted.count { end = Swift.min(end, position + inserted[insertion].index - builder.count) }
          builder.append(chunks[chunk], (position - range.lowerBound)..<(end - range.lowerBound))
          position = end
        }
      }
      chunk += 1
    }
    while insertion < inserted.count {
      precondition(inserted[insertion].index == builder.count, "a record is inserted behind the end of the list")
      builder.append(inserted[insertion].record)
      insertion += 1
    }
    precondition(removal == removed.count, "a record is removed behind the end of the list")
    return builder.finish()
  }

  /// The list with other records of the same ids at some of its indices, given in ascending order.
  func replacing(_ replaced: [Placed]) -> RecordList {
    if replaced.isEmpty { return self }
    var chunks = chunks
    var next = 0
    while next < replaced.count {
      let number = chunkIndex(holding: replaced[next].index)
      var records = chunks[number].records
      while next < replaced.count, replaced[next].index < starts[number + 1] {
        precondition(replaced[next].record.id == chunks[number].ids[replaced[next].index - starts[number]])
        records[replaced[next].index - starts[number]] = replaced[next].record
        next += 1
      }
      chunks[number] = Chunk(records: records, ids: chunks[number].ids)
    }
    return RecordList(chunks: chunks, starts: starts)
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

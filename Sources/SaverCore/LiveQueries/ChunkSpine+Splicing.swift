extension ChunkSpine {
  /// The spine without the records at some of its indices, and with others at these indices of the new one.
  ///
  /// - Parameters:
  ///   - removed: in ascending order.
  ///   - places: in ascending order; one for each of `records`.
  /// - Precondition: the indices are those of the lists.
  /// - Complexity: O(chunks + the sizes of those that change).
  func splicing(removing removed: [Int], inserting places: [Int], _ records: ListChunk) -> ChunkSpine {
    var splice = Splice(old: self, removed: removed, places: places, records: records)
    return splice.run()
  }
}

/// How one spine is made of another.
private struct Splice {
  let old: ChunkSpine
  let removed: [Int]
  let places: [Int]
  let records: ListChunk
  let countMax: Int

  private var chunks: [ListChunk] = []
  private var starts = [0]
  /// The next of the old chunks, of the removed records, and of the inserted ones.
  private var chunk = 0
  private var removal = 0
  private var insertion = 0

  init(old: ChunkSpine, removed: [Int], places: [Int], records: ListChunk) {
    self.old = old
    self.removed = removed
    self.places = places
    self.records = records
    countMax = ChunkSpine.chunkCountMax(in: old.count - removed.count + places.count)
    chunks.reserveCapacity(old.chunks.count + 2)
    starts.reserveCapacity(old.chunks.count + 3)
  }

  /// The number of records so far.
  private var count: Int { starts[chunks.count] }

  mutating func run() -> ChunkSpine {
    while chunk < old.chunks.count {
      takeUnchanged()
      if chunk < old.chunks.count { rewrite() }
    }
    if insertion < places.count { rewrite() }
    precondition(removal == removed.count, "a record is removed behind the end of the list")
    return ChunkSpine(chunks: chunks, starts: starts)
  }

  /// Whether something is taken out of an old chunk, or put into it, that begins at `start` of the new list.
  private func isChanged(_ chunk: Int, at start: Int, _ removal: Int, _ insertion: Int) -> Bool {
    if removal < removed.count, removed[removal] < old.starts[chunk + 1] { return true }
    guard insertion < places.count else { return false }
    // What is appended goes into the last one.
    return chunk == old.chunks.count - 1 || places[insertion] < start + old.chunks[chunk].count
  }

  /// Takes chunks over as they are, up to the next that changes.
  private mutating func takeUnchanged() {
    let first = chunk
    let shift = count - old.starts[first]
    while chunk < old.chunks.count, !isChanged(chunk, at: old.starts[chunk] + shift, removal, insertion) { chunk += 1 }
    chunks.append(contentsOf: old.chunks[first..<chunk])
    for number in first..<chunk { starts.append(old.starts[number + 1] + shift) }
  }

  /// Makes new chunks of the next one and of those behind it that change, too, or that are needed to make up for few records.
  private mutating func rewrite() {
    let first = chunk
    var rewritten = 0
    var (removalEnd, insertionEnd) = (removal, insertion)
    repeat {
      if chunk < old.chunks.count {
        rewritten += old.chunks[chunk].count
        chunk += 1
        while removalEnd < removed.count, removed[removalEnd] < old.starts[chunk] {
          removalEnd += 1
          rewritten -= 1
        }
      }
      let isLast = chunk == old.chunks.count
      while insertionEnd < places.count, isLast || places[insertionEnd] < count + rewritten {
        insertionEnd += 1
        rewritten += 1
      }
    } while chunk < old.chunks.count
      && (rewritten < countMax / 4 || isChanged(chunk, at: count + rewritten, removalEnd, insertionEnd))

    // A list that is added to at one end, again and again, is to get full chunks there.
    let growsAtFront = insertion < insertionEnd && places[insertion] == count
    let growsAtEnd = insertion < insertionEnd && places[insertionEnd - 1] == count + rewritten - 1
    var parts = (rewritten + countMax - 1) / countMax
    var left = rewritten
    var source = (chunk: first, index: old.starts[first])
    while parts > 0 {
      var size = (left + parts - 1) / parts
      if growsAtFront { size = left - (parts - 1) * countMax } else if growsAtEnd { size = min(left, countMax) }
      let part = records.makeEmpty(capacity: size)
      fill(part, from: &source, removalEnd)
      starts.append(count + size)
      chunks.append(part)
      left -= size
      parts -= 1
    }
    // Removed records at the end are in no part.
    removal = removalEnd
  }

  private mutating func fill(_ part: ListChunk, from source: inout (chunk: Int, index: Int), _ removalEnd: Int) {
    while !part.isFull {
      if insertion < places.count, places[insertion] == count + part.count {
        part.append(records, insertion..<insertion + 1)
        insertion += 1
        continue
      }
      if removal < removalEnd, removed[removal] == source.index {
        removal += 1
        source.index += 1
      } else {
        var run = min(part.capacity - part.count, old.starts[source.chunk + 1] - source.index)
        if removal < removalEnd { run = min(run, removed[removal] - source.index) }
        if insertion < places.count { run = min(run, places[insertion] - count - part.count) }
        precondition(run > 0, "a record is inserted behind the end of the list")
        let offset = source.index - old.starts[source.chunk]
        part.append(old.chunks[source.chunk], offset..<offset + run)
        source.index += run
      }
      if source.index == old.starts[source.chunk + 1], source.chunk + 1 < old.chunks.count { source.chunk += 1 }
    }
  }
}

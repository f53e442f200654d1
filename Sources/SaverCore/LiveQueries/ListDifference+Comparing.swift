import FoundationEssentials

extension ListDifference {
  /// What makes `new` of `old`; a record is updated if its stored form is another.
  ///
  /// - Complexity: O(chunks) and, for the records in chunks that the lists do not share, O(n log n).
  public init(from old: RecordList<R>, to new: RecordList<R>) {
    self.init(from: old, to: new, RecordOrder())
  }

  init(from old: RecordList<R>, to new: RecordList<R>, _ order: RecordOrder<R>) {
    // What the lists have in common at both ends.
    let shorter = min(old.chunks.count, new.chunks.count)
    var head = 0
    while head < shorter, old.chunks[head] === new.chunks[head] { head += 1 }
    var tail = 0
    while tail < shorter - head, old.chunks[old.chunks.count - 1 - tail] === new.chunks[new.chunks.count - 1 - tail] {
      tail += 1
    }
    let oldChunks = head..<(old.chunks.count - tail)
    let newChunks = head..<(new.chunks.count - tail)
    if oldChunks.isEmpty {
      insertAll(of: new, newChunks)
      return
    }

    // Chunks that have shifted among others.
    let newIdentities = Set(newChunks.map { ObjectIdentifier(new.chunks[$0]) })
    var shared: [ObjectIdentifier: Int] = [:]
    var oldIndices: [UUID: Int] = [:]
    for number in oldChunks {
      let identity = ObjectIdentifier(old.chunks[number])
      if newIdentities.contains(identity) {
        shared[identity] = old.starts[number]
      } else {
        for (offset, id) in old.chunks[number].ids.enumerated() { oldIndices[id] = old.starts[number] + offset }
      }
    }

    var runs: [CommonRun] = []
    for number in newChunks {
      let chunk = new.chunks[number]
      let start = new.starts[number]
      if let oldStart = shared[ObjectIdentifier(chunk)] {
        runs.append(CommonRun(old: oldStart, new: start, count: chunk.ids.count))
        continue
      }
      for (offset, id) in chunk.ids.enumerated() {
        guard let oldIndex = oldIndices.removeValue(forKey: id) else {
          inserted.append(Insertion(index: start + offset, record: chunk.records[offset]))
          continue
        }
        if !order.isSame(old[oldIndex], chunk.records[offset]) {
          updated.append(Update(index: start + offset, record: chunk.records[offset]))
        }
        if let last = runs.last, last.old + last.count == oldIndex, last.new + last.count == start + offset {
          runs[runs.count - 1].count += 1
        } else {
          runs.append(CommonRun(old: oldIndex, new: start + offset, count: 1))
        }
      }
    }
    deleted = oldIndices.map { Deletion(index: $0.value, id: $0.key) }.sorted { $0.index < $1.index }
    noteMoves(runs, in: new)
  }

  private mutating func insertAll(of list: RecordList<R>, _ chunks: Range<Int>) {
    inserted.reserveCapacity(list.starts[chunks.upperBound] - list.starts[chunks.lowerBound])
    for number in chunks {
      for (offset, record) in list.chunks[number].records.enumerated() {
        inserted.append(Insertion(index: list.starts[number] + offset, record: record))
      }
    }
  }

  /// Notes the moves of the runs that cannot stay.
  mutating func noteMoves(_ runs: [CommonRun], in new: RecordList<R>) {
    let staying = CommonRun.staying(runs)
    for (number, run) in runs.enumerated() where !staying[number] {
      for offset in 0..<run.count {
        moved.append(Move(from: run.old + offset, to: run.new + offset, id: new.ids[run.new + offset]))
      }
    }
  }
}

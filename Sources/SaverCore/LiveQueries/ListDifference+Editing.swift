import FoundationEssentials

extension ListDifference {
  /// What `old.splicing(removing:inserting:)`, which made `new`, has changed: a record that was taken out and put in again
  /// is moved, or updated, or neither.
  ///
  /// - Parameters:
  ///   - inserted: where the records were put in.
  ///   - chunk: these records, of the lists' type.
  /// - Complexity: O(k log k) for k removals and insertions, and the moves.
  init(
    from old: RecordList<R>, to new: RecordList<R>, removing removed: [Int], inserting inserted: [Int],
    _ chunk: ListChunk, _ order: RecordOrder<R>
  ) {
    let records = unsafeDowncast(chunk, to: RecordChunk<R>.self).records
    let gone = removed.map { Deletion(index: $0, id: old.spine.id(at: $0)) }
    if !gone.mayShare(with: chunk) {
      deleted = gone
      for number in 0..<inserted.count {
        self.inserted.append(Insertion(index: inserted[number], record: records[number]))
      }
      return
    }
    var oldIndices: [UUID: Int] = [:]
    oldIndices.reserveCapacity(gone.count)
    for deletion in gone { oldIndices[deletion.id] = deletion.index }
    var staying: Set<UUID> = []
    var places: [(new: Int, old: Int?)] = []
    places.reserveCapacity(inserted.count)
    for number in 0..<inserted.count {
      let (index, id) = (inserted[number], chunk.ids[number])
      let oldIndex = oldIndices[id]
      places.append((index, oldIndex))
      guard let oldIndex else {
        self.inserted.append(Insertion(index: index, record: records[number]))
        continue
      }
      staying.insert(id)
      if !order.isSame(old[oldIndex], records[number]) {
        updated.append(Update(index: index, record: records[number]))
      }
    }
    deleted = gone.filter { !staying.contains($0.id) }
    if !staying.isEmpty {
      noteMoves(Self.runs(old.count, new.count, removed, places), in: new)
    }
  }

  /// What two lists have in common, in the new order: the runs between the places where something was taken out or put in,
  /// and the records that were put in again.
  static func runs(
    _ oldCount: Int, _ newCount: Int, _ removed: [Int], _ placed: [(new: Int, old: Int?)]
  ) -> [CommonRun] {
    var runs: [CommonRun] = []
    var old = 0
    var new = 0
    var removal = 0
    var insertion = 0
    while new < newCount {
      if insertion < placed.count, placed[insertion].new == new {
        if let index = placed[insertion].old { runs.append(CommonRun(old: index, new: new, count: 1)) }
        insertion += 1
        new += 1
        continue
      }
      while removal < removed.count, removed[removal] == old {
        removal += 1
        old += 1
      }
      let untilRemoval = (removal < removed.count ? removed[removal] : oldCount) - old
      let untilInsertion = (insertion < placed.count ? placed[insertion].new : newCount) - new
      let count = min(untilRemoval, untilInsertion)
      runs.append(CommonRun(old: old, new: new, count: count))
      old += count
      new += count
    }
    return runs
  }
}

extension [ListDeletion] {
  /// Whether a record may have been taken out and put in again. Of a few it is known for sure, without hashing.
  fileprivate func mayShare(with chunk: ListChunk) -> Bool {
    if count * chunk.count > 64 { return true }
    for number in 0..<chunk.count {
      let id = chunk.ids[number]
      for deletion in self where deletion.id == id { return true }
    }
    return false
  }
}

import FoundationEssentials

extension ListDifference {
  /// What `old.splicing(removing:inserting:)`, which made `new`, has changed: a record that was taken out and put in again
  /// is moved, or updated, or neither.
  ///
  /// - Complexity: O(k log k) for k removals and insertions, and the moves.
  init(
    from old: RecordList<R>, to new: RecordList<R>, removing removed: [Int], inserting placed: [RecordList<R>.Placed],
    _ order: RecordOrder<R>
  ) {
    var oldIndices: [UUID: Int] = [:]
    if !placed.isEmpty {
      oldIndices.reserveCapacity(removed.count)
      for index in removed { oldIndices[old.ids[index]] = index }
    }
    var staying: Set<UUID> = []
    var places: [(new: Int, old: Int?)] = []
    places.reserveCapacity(placed.count)
    for number in placed.indices {
      let (index, record) = (placed[number].index, placed[number].record)
      let oldIndex = oldIndices[record.id]
      places.append((index, oldIndex))
      guard let oldIndex else {
        inserted.append(placed[number])
        continue
      }
      staying.insert(record.id)
      if !order.isSame(old[oldIndex], record) { updated.append(Update(index: index, record: record)) }
    }
    for index in removed {
      let id = old.ids[index]
      if !staying.contains(id) { deleted.append(Deletion(index: index, id: id)) }
    }
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

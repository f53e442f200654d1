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
    let takenOut = TakenOut(removed, removed.map { old.id(at: $0) })
    var staying: Set<UUID> = []
    for number in 0..<placed.count {
      let record = placed[number].record
      guard let oldIndex = takenOut.index(of: record.id) else {
        inserted.append(placed[number])
        continue
      }
      staying.insert(record.id)
      if !order.isSame(old[oldIndex], record) { updated.append(Update(index: placed[number].index, record: record)) }
    }
    for (index, id) in zip(removed, takenOut.ids) where !staying.contains(id) {
      deleted.append(Deletion(index: index, id: id))
    }
    if staying.isEmpty { return }
    let places = placed.map { (new: $0.index, old: takenOut.index(of: $0.record.id)) }
    noteMoves(Self.runs(old.count, new.count, removed, places), in: new)
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

/// The records that were taken out of a list.
private struct TakenOut {
  let indices: [Int]
  let ids: [UUID]
  /// Made for many only: to make one for one or two takes longer than to look at them.
  private let table: [UUID: Int]?

  init(_ indices: [Int], _ ids: [UUID]) {
    self.indices = indices
    self.ids = ids
    table = ids.count < 8 ? nil : Dictionary(uniqueKeysWithValues: zip(ids, indices))
  }

  func index(of id: UUID) -> Int? {
    if let table { return table[id] }
    return ids.firstIndex(of: id).map { indices[$0] }
  }
}

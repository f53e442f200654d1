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
    let gone = removed.map { Deletion(index: $0, id: old.spine.id(at: $0)) }
    if !Self.mayShare(gone, placed) {
      deleted = gone
      inserted = placed
      return
    }
    var oldIndices: [UUID: Int] = [:]
    oldIndices.reserveCapacity(gone.count)
    for deletion in gone { oldIndices[deletion.id] = deletion.index }
    var staying: Set<UUID> = []
    var places: [(new: Int, old: Int?)] = []
    places.reserveCapacity(placed.count)
    for number in 0..<placed.count {
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
    deleted = gone.filter { !staying.contains($0.id) }
    if !staying.isEmpty {
      noteMoves(Self.runs(old.count, new.count, removed, places), in: new)
    }
  }

  /// Whether a record may have been taken out and put in again. Of a few it is known for sure, without hashing.
  private static func mayShare(_ gone: [Deletion], _ placed: [Insertion]) -> Bool {
    if gone.isEmpty || placed.count == 0 { return false }
    if gone.count * placed.count > 64 { return true }
    for number in 0..<placed.count {
      let id = placed[number].record.id
      if gone.contains(where: { $0.id == id }) { return true }
    }
    return false
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

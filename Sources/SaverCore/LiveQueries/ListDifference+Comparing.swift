import FoundationEssentials

extension ListDifference {
  /// What makes `new` of `old`; a record is updated if its stored form is another.
  ///
  /// - Complexity: O(chunks + records in chunks that the lists do not share), and O(n log n) for n records that move.
  public init(from old: RecordList<R>, to new: RecordList<R>) {
    self.init(from: old, to: new, RecordOrder())
  }

  init(from old: RecordList<R>, to new: RecordList<R>, _ order: RecordOrder<R>) {
    if old.isEmpty {
      insertAll(of: new)
      return
    }
    var comparison = ListComparison(from: old, to: new, order)
    comparison.run()
    updated = comparison.updated
    inserted = comparison.inserted.map { Insertion(index: $0, record: new[$0]) }
    deleted = comparison.deleted.map { Deletion(index: $0, id: old.spine.id(at: $0)) }
    noteMoves(comparison.runs, in: new)
  }

  private mutating func insertAll(of list: RecordList<R>) {
    inserted.reserveCapacity(list.count)
    for index in list.indices { inserted.append(Insertion(index: index, record: list[index])) }
  }

  /// Notes the moves of the runs that cannot stay.
  mutating func noteMoves(_ runs: [CommonRun], in new: RecordList<R>) {
    let staying = CommonRun.staying(runs)
    for number in runs.indices where !staying[number] {
      let run = runs[number]
      for offset in 0..<run.count {
        moved.append(Move(from: run.old + offset, to: run.new + offset, id: new.spine.id(at: run.new + offset)))
      }
    }
  }
}

import FoundationEssentials

extension LiveWindow {
  /// Edits the list, and brings it back to its limit: what is too much goes to the tail, what is missing comes from there,
  /// or, when that is used up, from the store.
  ///
  /// - Parameter boundary: the last record known before, of which the edit's tail may have lost some.
  mutating func edit(
    _ edit: consuming Edit, boundary: R?, _ transaction: any EngineReadTransaction
  ) throws -> ListDifference<R> {
    needsFetch = true
    let limit = limit ?? .max
    var count = list.count - edit.removed.count + edit.placed.count
    if count > limit { edit.cut(from: &count, to: limit, list) }
    edit.fill(&count, to: limit)
    if !isComplete, count < limit || edit.tail.count == 0 {
      edit.tail.insert(contentsOf: try more(limit - count, behind: boundary, transaction).reversed(), at: 0)
      edit.fill(&count, to: limit)
    }
    if edit.tail.count > reserveCountMax {
      // The farthest stand first. More than must go, so that this is not done for each record that is pushed over the limit.
      edit.tail.removeSubrange(0..<edit.tail.count - reserveCount)
      isComplete = false
    }

    let edited = list.splicing(removing: edit.removed, inserting: edit.placed)
    let difference = ListDifference(
      from: list, to: edited, removing: edit.removed, inserting: edit.placed, condition.order)
    // Rows that were written as they were leave the list as it is.
    if !difference.isEmpty { list = edited }
    reserve = edit.tail
    needsFetch = false
    return difference
  }

  /// The reserve, to be changed in its place: it is not there until there is a new one.
  mutating func takeReserve() -> [R] {
    defer { reserve = [] }
    needsFetch = true
    return reserve
  }

  /// Fetches `missing` records behind what was known, and a new reserve.
  private mutating func more(
    _ missing: Int, behind boundary: R?, _ transaction: any EngineReadTransaction
  ) throws -> [R] {
    counters.refills += 1
    let (wanted, isOverflow) = missing.addingReportingOverflow(reserveCount)
    let position = boundary.map { Position(of: $0, in: condition.query.order) }
    let selection = try condition.selection(limit: isOverflow ? nil : wanted, after: position)
    var fetched: [R] = []
    let isWhole = try scan(transaction, selection, mayFailFrom: missing) { fetched.append($0) }
    isComplete = isWhole && (isOverflow || fetched.count < wanted)
    return fetched
  }
}

extension LiveWindow.Edit {
  /// Moves records from the end of the list that is about to be made to the tail.
  fileprivate mutating func cut(from count: inout Int, to limit: Int, _ list: RecordList<R>) {
    var removal = removed.count
    var old = list.count
    while count > limit {
      count -= 1
      if placed.count > 0, placed[placed.count - 1].index == count {
        tail.append(placed.removeLast().record)
        continue
      }
      repeat {
        old -= 1
        if removal > 0, removed[removal - 1] == old { removal -= 1 } else { break }
      } while true
      tail.append(list[old])
      removed.insert(old, at: removal)
    }
  }

  /// Appends records of the tail to the list that is about to be made.
  fileprivate mutating func fill(_ count: inout Int, to limit: Int) {
    while count < limit, tail.count > 0 {
      placed.append(LiveWindow.Placed(index: count, record: tail.removeLast()))
      count += 1
    }
  }
}

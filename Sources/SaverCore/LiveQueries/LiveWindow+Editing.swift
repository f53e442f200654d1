import FoundationEssentials

extension LiveWindow {
  /// Edits the list, and brings it back to its limit: what is too much goes to the reserve, what is missing comes from there,
  /// or, when that is used up, from the store.
  ///
  /// - Parameter boundary: the last record known before, of which the reserve may have lost some.
  mutating func edit(
    _ edit: consuming ListEdit, boundary: R?, _ transaction: any EngineReadTransaction
  ) throws -> ListDifference<R> {
    needsFetch = true
    let limit = limit ?? .max
    var count = list.count - edit.removed.count + edit.places.count
    if count > limit { edit.cut(from: &count, to: limit, list.spine, &reserve) }
    edit.fill(&count, to: limit, from: &reserve)
    if !isComplete, count < limit || reserve.count == 0 {
      try refill(limit - count, behind: boundary, transaction)
      edit.fill(&count, to: limit, from: &reserve)
    }
    if reserve.count > reserveCountMax {
      // The farthest stand first. More than must go, so that this is not done for each record that is pushed over the limit.
      reserve.removeFirst(reserve.count - reserveCount)
      isComplete = false
    }

    let edited = list.splicing(removing: edit.removed, inserting: edit.places, edit.placed.chunk)
    let difference = ListDifference(
      from: list, to: edited, removing: edit.removed, inserting: edit.places, edit.placed.chunk, condition.order)
    // Rows that were written as they were leave the list as it is.
    if !difference.isEmpty { list = edited }
    needsFetch = false
    return difference
  }

  /// Fetches `missing` records behind what was known, and more, and puts them behind the reserve.
  private mutating func refill(_ missing: Int, behind boundary: R?, _ transaction: any EngineReadTransaction) throws {
    counters.refills += 1
    let (wanted, isOverflow) = missing.addingReportingOverflow(reserveCount)
    let position = boundary.map { Position(of: $0, in: condition.query.order) }
    let selection = try condition.selection(limit: isOverflow ? nil : wanted, after: position)
    var fetched: [R] = []
    let isWhole = try scan(transaction, selection, mayFailFrom: missing) { fetched.append($0) }
    isComplete = isWhole && (isOverflow || fetched.count < wanted)
    var refilled = reserve.makeEmpty(capacity: fetched.count + reserve.count)
    for record in fetched.reversed() { refilled.append(record) }
    refilled.append(contentsOf: reserve)
    reserve = refilled
  }
}

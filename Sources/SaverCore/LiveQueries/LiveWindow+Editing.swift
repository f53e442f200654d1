import FoundationEssentials

extension LiveWindow {
  /// Edits the list, and brings it back to its limit: what is too much goes to the tail, what is missing comes from there,
  /// or, when that is used up, from the store.
  ///
  /// - Parameters:
  ///   - tail: what comes behind the list, without a gap, the nearest last.
  ///   - boundary: the last record known before, of which the tail may have lost some.
  mutating func edit(
    removing removed: [Int], inserting placed: [Placed], tail: [R], boundary: R?,
    _ transaction: any EngineReadTransaction
  ) throws -> ListDifference<R> {
    needsFetch = true
    var removed = removed
    var placed = placed
    var tail = tail
    let limit = limit ?? .max
    var count = list.count - removed.count + placed.count
    if count > limit { Self.cut(&removed, &placed, from: &count, to: limit, list, into: &tail) }
    Self.fill(&placed, from: &tail, &count, to: limit)
    if !isComplete, count < limit || tail.isEmpty {
      tail.insert(contentsOf: try more(limit - count, behind: boundary, transaction).reversed(), at: 0)
      Self.fill(&placed, from: &tail, &count, to: limit)
    }
    if tail.count > reserveCountMax {
      tail.removeFirst(tail.count - reserveCountMax)
      isComplete = false
    }

    let edited = list.splicing(removing: removed, inserting: placed)
    let difference = ListDifference(
      from: list, to: edited, removing: removed, inserting: placed, condition.order)
    // Rows that were written as they were leave the list as it is.
    if !difference.isEmpty { list = edited }
    reserve = tail
    needsFetch = false
    return difference
  }

  /// Moves records from the end of the list that is about to be made to the tail.
  private static func cut(
    _ removed: inout [Int], _ placed: inout [Placed], from count: inout Int, to limit: Int, _ list: RecordList<R>,
    into tail: inout [R]
  ) {
    var removal = removed.count
    var old = list.count
    while count > limit {
      count -= 1
      if let last = placed.last, last.index == count {
        tail.append(last.record)
        placed.removeLast()
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
  private static func fill(_ placed: inout [Placed], from tail: inout [R], _ count: inout Int, to limit: Int) {
    while count < limit, let record = tail.popLast() {
      placed.append(Placed(index: count, record: record))
      count += 1
    }
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

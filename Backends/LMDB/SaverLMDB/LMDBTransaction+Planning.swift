#if LMDB
import SaverCore

extension LMDBTransaction {
  /// A way that narrows better is tried against one that gives the order: as many keys are looked at before the latter
  /// is taken.
  private static let probedKeysMax = 128

  func explain(_ selection: Selection) throws -> QueryPlan {
    let table = try tables.table(selection.type)
    return try plan(selection, table).explanation(table)
  }

  /// Chooses how to answer a selection.
  ///
  /// - Parameter inOrder: whether the order matters; it does not for a count of everything.
  func plan(_ selection: Selection, _ table: Table, inOrder: Bool = true) throws -> ScanPlan {
    // Over the rows alone where the indexes do not tell of all of them.
    let candidates = Planner(selection, table).candidates(usingIndexes: try hasCurrentIndexes(table))
    // Of equals, one in order; of those, the first: by id.
    var best = candidates[0]
    for candidate in candidates.dropFirst() {
      let isStronger = candidate.strength > best.strength
      let isAsStrong = candidate.strength == best.strength
      if isStronger || isAsStrong && candidate.plan.isOrdered && !best.plan.isOrdered { best = candidate }
    }
    // Single rows by their ids, and what needs no order.
    if let byID = candidates.first(where: { $0.isByID && $0.strength.equal > 0 }) { return byID.plan }
    guard inOrder, !best.plan.isOrdered else { return best.plan }
    var ordered: Planner.Candidate?
    for candidate in candidates where candidate.plan.isOrdered {
      if ordered.map({ candidate.strength > $0.strength }) ?? true { ordered = candidate }
    }
    guard let ordered, let limit = selection.limit else { return best.plan }
    let keysMax = max(Self.probedKeysMax, min(limit, 1 << 20))
    return try hasMore(than: keysMax, best.plan, table) ? ordered.plan : best.plan
  }

  private func hasMore(than keysMax: Int, _ plan: ScanPlan, _ table: Table) throws -> Bool {
    var cursor = try RangeCursor(
      plan.index?.database ?? table.rows, in: transaction, ranges: plan.ranges, descending: false, path: path)
    for _ in 0...keysMax {
      guard try cursor.next() else { return false }
      rowsRead += 1
    }
    return true
  }
}
#endif

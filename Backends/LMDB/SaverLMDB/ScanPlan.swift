#if LMDB
import SaverCore

/// How a selection is answered.
struct ScanPlan {
  /// The index whose keys are walked; `nil` for the rows themselves, by id.
  var index: Table.Index?
  /// The keys to walk: ascending and disjoint.
  var ranges: [KeyRange]
  /// The conditions that every key in the ranges fulfils.
  var decided: [Filter]
  /// The conditions that are evaluated on the rows.
  var residual: [Filter]
  /// Whether the walk gives the selection's order; else the rows are sorted.
  var isOrdered: Bool
  var isDescending = false
  /// Whether the ranges begin exactly behind the place that the selection goes on from: not if the place lies in a run of
  /// cut keys, which may have rows before it.
  var isPositionedExactly = false

  /// Whether keys are all that a count needs.
  func isDecidedByKeys(_ selection: Selection) -> Bool {
    residual.isEmpty && (selection.after == nil || isPositionedExactly)
  }

  func explanation(_ table: Table) -> QueryPlan {
    let name = index.map { Table.indexName(table.type, $0.description) } ?? Table.rowsName(table.type)
    let walk = isOrdered && isDescending ? "walked backwards" : "walked"
    let bounds =
      ranges.count == 1 && ranges[0] == KeyRange()
      ? "whole" : ranges.count == 1 ? "one range" : "\(ranges.count) ranges"
    return QueryPlan(
      index: index?.name, pushed: decided, residual: residual, isOrderedByIndex: isOrdered,
      detail: "\(name) \(walk), \(bounds)")
  }
}
#endif

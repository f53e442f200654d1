#if LMDB
import CLMDB
import SaverCore

extension LMDBTransaction {
  func count(_ selection: Selection) throws -> Int {
    let table = try tables.table(selection.type)
    let unlimited = try countBeforeWindow(selection, table)
    return min(max(unlimited - selection.offset, 0), selection.limit ?? .max)
  }

  private func countBeforeWindow(_ selection: Selection, _ table: Table) throws -> Int {
    let plan = try plan(selection, table, inOrder: selection.after != nil)
    guard plan.isDecidedByKeys(selection) else { return try countRows(selection, table, plan) }
    if plan.index == nil, plan.ranges == [KeyRange()] { return try entries(of: table.rows) }
    var cursor = try RangeCursor(
      plan.index?.database ?? table.rows, in: transaction, ranges: plan.ranges, descending: false, path: path)
    var count = 0
    while try cursor.next() { count += 1 }
    rowsRead += count
    return count
  }

  /// By reading the rows, until there are as many as offset and limit ask for.
  private func countRows(_ selection: Selection, _ table: Table, _ plan: ScanPlan) throws -> Int {
    let end = selection.limit.map { $0.addingReportingOverflow(selection.offset) }
    let enough = end.map { $0.overflow ? .max : $0.partialValue } ?? .max
    if enough == 0 { return 0 }
    var count = 0
    try scan(selection, table, plan, ResultWindow(first: enough), inOrder: selection.after != nil) { _ in
      count += 1
      return true
    }
    return count
  }

  func entries(of database: MDB_dbi) throws -> Int {
    var statistics = MDB_stat()
    let result = mdb_stat(transaction, database, &statistics)
    guard result == 0 else { throw StorageError(lmdb: result, doing: "counting", path: path) }
    return statistics.ms_entries
  }
}
#endif

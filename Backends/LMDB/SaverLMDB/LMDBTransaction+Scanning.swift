#if LMDB
import CLMDB
import SaverCore

extension LMDBTransaction {
  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws {
    if selection.limit == 0 { return }
    let table = try tables.table(selection.type)
    try scan(selection, table, plan(selection, table), ResultWindow(selection), body)
  }

  /// - Parameter inOrder: whether the rows are to be sorted, where the plan does not give the order.
  func scan(
    _ selection: Selection, _ table: Table, _ plan: ScanPlan, _ window: ResultWindow, inOrder: Bool = true,
    _ body: (borrowing RowView) throws -> Bool
  ) throws {
    if plan.ranges.isEmpty { return }
    var window = window
    let rows = try openCursor(table.rows, in: transaction, path: path)
    defer { mdb_cursor_close(rows) }
    let residual = plan.residual.isEmpty ? nil : try CompiledFilter(.and(plan.residual), selection.type)
    try withFrame { frame in
      let scan = Scan(
        transaction: self, table: table, selection: selection, plan: plan, frame: frame, rows: rows, residual: residual,
        columns: table.type.fields.count, judgedColumns: (residual?.columns.last ?? -1) + 1)
      if inOrder && !plan.isOrdered {
        try scan.sortRows(&window, body)
      } else if plan.index == nil {
        try scan.walkRows(&window, body)
      } else {
        try scan.walkIndex(&window, body)
      }
    }
  }
}

/// One scan, under way.
struct Scan {
  let transaction: LMDBTransaction
  let table: Table
  let selection: Selection
  let plan: ScanPlan
  let frame: LMDBTransaction.Frame
  /// A cursor on the rows: finding a neighbour of the row before costs a third of finding it from the root.
  let rows: OpaquePointer
  let residual: CompiledFilter?

  typealias Body = (borrowing RowView) throws -> Bool

  /// The number of columns of a row.
  let columns: Int
  /// How many of them, from the first, the residual condition needs.
  let judgedColumns: Int

  private func cursor() throws -> RangeCursor {
    try RangeCursor(
      plan.index?.database ?? table.rows, in: transaction.transaction, ranges: plan.ranges,
      descending: plan.isOrdered && plan.isDescending, path: transaction.path)
  }

  // MARK: In the order of the keys

  /// The rows by id.
  func walkRows(_ window: inout ResultWindow, _ body: Body) throws {
    var cursor = try cursor()
    while try cursor.next() {
      transaction.rowsRead += 1
      if admit(cursor.value, key: cursor.key) {
        guard try show(&window, body) else { return }
      }
    }
  }

  /// The rows by an index. Keys without their rows are skipped: another program may have deleted them.
  func walkIndex(_ window: inout ResultWindow, _ body: Body) throws {
    var cursor = try cursor()
    var hasKey = try cursor.next()
    while hasKey {
      if IndexKey.isCut(cursor.key) {
        guard try showRun(&cursor, &hasKey, &window, body) else { return }
        continue
      }
      transaction.rowsRead += 1
      if let id = IndexKey.id(cursor.key), let value = try value(id), admit(value, key: id) {
        guard try show(&window, body) else { return }
      }
      hasKey = try cursor.next()
    }
  }

  /// The rows of a run of cut keys, sorted by what was cut off too. The cursor is behind the run afterwards.
  private func showRun(
    _ cursor: inout RangeCursor, _ hasKey: inout Bool, _ window: inout ResultWindow, _ body: Body
  ) throws -> Bool {
    let prefix = Array(UnsafeRawBufferPointer(start: cursor.key.mv_data, count: IndexKey.tupleMax))
    var sorter = RowSorter(limit: nil)
    let place = place()
    while hasKey, IndexKey.isCut(cursor.key, sharing: prefix) {
      transaction.rowsRead += 1
      if let id = IndexKey.id(cursor.key), let value = try value(id), admit(value, key: id) {
        add(id, to: &sorter, behind: place)
      }
      hasKey = try cursor.next()
    }
    return try show(&sorter, &window, body)
  }

  // MARK: In another order

  /// The rows of the ranges, sorted.
  func sortRows(_ window: inout ResultWindow, _ body: Body) throws {
    let limit = selection.limit.flatMap { limit in
      let (sum, tooLarge) = limit.addingReportingOverflow(selection.offset)
      return tooLarge ? nil : sum
    }
    var sorter = RowSorter(limit: limit)
    let place = place()
    var cursor = try cursor()
    while try cursor.next() {
      transaction.rowsRead += 1
      if plan.index == nil {
        if admit(cursor.value, key: cursor.key) { add(cursor.key, to: &sorter, behind: place) }
      } else if let id = IndexKey.id(cursor.key), let value = try value(id), admit(value, key: id) {
        add(id, to: &sorter, behind: place)
      }
    }
    _ = try show(&sorter, &window, body)
  }

  /// The sort key of the place that the selection goes on from.
  private func place() -> [UInt8]? {
    guard let after = selection.after else { return nil }
    var key = TupleBuffer()
    key.append(sortKeyOf: after, selection)
    return Array(key.bytes)
  }

  /// Adds the row in the slots, unless the selection begins behind it.
  private func add(_ id: MDB_val, to sorter: inout RowSorter, behind place: [UInt8]?) {
    let row = RowView(slots: UnsafePointer(frame.slots), count: columns)
    frame.key.removeAll()
    frame.key.append(sortKeyOf: row, selection)
    if let place, place.withUnsafeBytes({ RowSorter.order(frame.key.bytes, $0) }) <= 0 { return }
    sorter.add(frame.key.bytes, row: id)
  }

  private func show(
    _ sorter: inout RowSorter, _ window: inout ResultWindow, _ body: Body
  ) throws -> Bool {
    sorter.sort()
    for place in 0..<sorter.count where window.takes() {
      let id = sorter.row(at: place)
      guard let value = try value(id) else { continue }
      RowFormat.read(value, key: id, into: frame.slots, count: columns)
      guard try body(RowView(slots: UnsafePointer(frame.slots), count: columns, lists: transaction.lists)),
        window.goesOn()
      else { return false }
    }
    return true
  }

  // MARK: Rows

  /// The row of an id, if there is one.
  @inline(__always) private func value(_ id: MDB_val) throws -> MDB_val? {
    var key = id
    var value = MDB_val()
    let result = mdb_cursor_get(rows, &key, &value, MDB_SET_KEY)
    if result == MDB_NOTFOUND { return nil }
    guard result == 0 else { throw StorageError(lmdb: result, doing: "reading", path: transaction.path) }
    return value
  }

  /// Reads a row into the slots; `false` if it is not one of the selection, of which no more is taken apart than the
  /// residual condition needs.
  @inline(__always) private func admit(_ value: MDB_val, key: MDB_val) -> Bool {
    if let residual {
      RowFormat.read(value, key: key, into: frame.slots, count: judgedColumns)
      guard residual.matches(RowView(slots: UnsafePointer(frame.slots), count: columns)) else { return false }
    }
    RowFormat.read(value, key: key, into: frame.slots, count: columns)
    return true
  }

  /// Hands the row in the slots to `body`; `false` when the scan is over.
  @inline(__always) private func show(_ window: inout ResultWindow, _ body: Body) throws -> Bool {
    guard window.takes() else { return true }
    return try body(RowView(slots: UnsafePointer(frame.slots), count: columns, lists: transaction.lists))
      && window.goesOn()
  }
}
#endif

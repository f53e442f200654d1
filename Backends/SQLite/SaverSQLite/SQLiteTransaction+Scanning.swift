#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

extension SQLiteTransaction {
  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws {
    if selection.limit == 0 { return }
    let sql = SelectionSQL(selection, try tables.table(selection.type), after: selection.after)
    var window = ResultWindow(selection)
    guard let filter = try residualFilter(sql) else { return try show(sql, nil, .chosen, &window, body) }
    if filter.condition(sql.table) == nil {
      _ = try walk(sql, selection, filter.filter, nil, &window, body)
    } else if sql.isWalk(by: selection.order) {
      let effort = WalkEffort(beginsAtPlace: selection.after != nil)
      guard let place = try walk(sql, selection, filter.filter, effort, &window, body) else { return }
      try show(SelectionSQL(selection, sql.table, after: place), filter, .wholeTable, &window, body)
    } else {
      try show(sql, filter, .chosen, &window, body)
    }
  }

  func count(_ selection: Selection) throws -> Int {
    let sql = SelectionSQL(selection, try tables.table(selection.type), after: selection.after)
    let filter = try residualFilter(sql)
    let condition = filter?.condition(sql.table)
    if filter != nil && (condition == nil || selection.limit != nil) { return try countOneByOne(selection) }
    var found = 0
    for part in sql.parts {
      let statement = try statement(sql.count(part, residual: condition), calling: filter)
      defer { finish(statement, rows: 0) }
      _ = try bind(part, filter, statement)
      if try step(statement) { found += statement.integer(0) }
    }
    return min(max(0, found - selection.offset), selection.limit ?? .max)
  }

  /// Finds the rows until there are as many as offset and limit ask for.
  private func countOneByOne(_ selection: Selection) throws -> Int {
    var count = 0
    try scan(selection) { _ in
      count += 1
      return true
    }
    return count
  }

  private func residualFilter(_ sql: SelectionSQL) throws -> RowFilter? {
    if sql.residual.isEmpty { return nil }
    return RowFilter(try CompiledFilter(.and(sql.residual), sql.table.type), sql.table.type)
  }

  // MARK: Ways of finding rows

  /// Leaves all of it to SQLite: conditions, order and window.
  private func show(
    _ sql: SelectionSQL, _ filter: RowFilter?, _ access: SelectionSQL.Access, _ window: inout ResultWindow,
    _ body: (borrowing RowView) throws -> Bool
  ) throws {
    if sql.parts.count == 1 {
      _ = try run(sql, sql.parts[0], filter, access, offset: window.skipped, limit: window.left, body)
      return
    }
    // How many rows each part has is seen only when they are there.
    for part in sql.parts {
      let goesOn = try run(sql, part, filter, access, offset: 0, limit: window.needed) { row in
        guard window.takes() else { return true }
        return try body(row) && window.goesOn()
      }
      guard goesOn else { return }
    }
  }

  /// Goes from row to row by an index, evaluating the residual conditions here.
  ///
  /// - Parameter effort: decides when to stop; `nil` for never.
  /// - Returns: the place behind which the rest is to be found in another way; `nil` if all is done.
  private func walk(
    _ sql: SelectionSQL, _ selection: Selection, _ filter: CompiledFilter, _ effort: WalkEffort?,
    _ window: inout ResultWindow, _ body: (borrowing RowView) throws -> Bool
  ) throws -> [StoredValue]? {
    var effort = effort
    var tableRows: Int?
    var place: [StoredValue]?
    for part in sql.parts {
      let goesOn = try run(sql, part, nil, .chosen, offset: 0, limit: .max) { row in
        let matches = filter.matches(row)
        if matches && window.takes() {
          guard try body(row), window.goesOn() else { return false }
        }
        if effort?.isDue(afterMatch: matches) == true {
          let rows = try tableRows ?? largestRowID(sql.table)
          tableRows = rows
          if effort?.isScanCheaper(tableRows: rows, needed: window.needed) == true {
            place = self.place(row, selection)
          }
        }
        return place == nil
      }
      guard goesOn else { return place }
    }
    return nil
  }

  /// About how many rows a table has, as fast as one of them is found: it has no more, unless another program chose the
  /// numbers, which may be below zero. `_rowid_` is a name that no field can have.
  private func largestRowID(_ table: Table) throws -> Int {
    let statement = try connection.statement("SELECT max(_rowid_) FROM \(table.name)")
    defer { statement.reset() }
    return try step(statement) ? max(0, statement.integer(0)) : 0
  }

  /// The values of the sort keys of a row, exactly as they are stored; `nil` if a text among them is damaged.
  private func place(_ row: borrowing RowView, _ selection: Selection) -> [StoredValue]? {
    var values: [StoredValue] = []
    for key in selection.order {
      let slot = row[slot: key.column]
      switch slot.kind {
      case .null: values.append(.null)
      case .integer: values.append(.int(Int(slot.integer)))
      case .real: values.append(.double(slot.real))
      case .blob: values.append(.data(Data(slot.bytes)))
      case .text, .jsonList, .packedList:
        guard let text = String(validating: slot.bytes) else { return nil }
        values.append(.text(text))
      }
    }
    return values
  }

  // MARK: Statements

  /// Runs one of a selection's statements and hands each row to `body` until it returns `false`; whether it never did.
  private func run(
    _ sql: SelectionSQL, _ part: SelectionSQL.Part, _ filter: RowFilter?, _ access: SelectionSQL.Access,
    offset: Int, limit: Int, _ body: (borrowing RowView) throws -> Bool
  ) throws -> Bool {
    let text = sql.rows(part, residual: filter?.condition(sql.table), access)
    let statement = try statement(text, showing: sql.table.type, calling: filter)
    var rows = 0
    // Whatever happens: a statement that is not reset holds the snapshot, and the log could not be emptied.
    defer { finish(statement, rows: rows, isWholeTable: access == .wholeTable) }
    let next = try bind(part, filter, statement)
    try check(sqlite3_bind_int64(statement.pointer, next, limit == .max ? -1 : Int64(limit)))
    try check(sqlite3_bind_int64(statement.pointer, next + 1, Int64(offset)))
    let view = RowView(slots: statement.slots, count: statement.columns, lists: connection.lists)
    while true {
      let result = sqlite3_step(statement.pointer)
      guard result == SQLITE_ROW else {
        if result == SQLITE_DONE { return true }
        throw failed(result, "reading")
      }
      rows += 1
      statement.fillSlots()
      if try !body(view) { return false }
    }
  }

  private func statement(
    _ text: String, showing type: RecordType? = nil, calling filter: RowFilter?
  ) throws -> Statement {
    if filter != nil { try connection.defineRowFilter() }
    return try connection.statement(text, showing: type)
  }

  /// Binds a part's constants and its filter; the number of the next parameter.
  private func bind(_ part: SelectionSQL.Part, _ filter: RowFilter?, _ statement: Statement) throws -> Int32 {
    var next: Int32 = 1
    for parameter in part.parameters {
      try check(parameter.bind(statement, next))
      next += 1
    }
    if let filter {
      try check(filter.bind(statement, next))
      next += 1
    }
    return next
  }

  // MARK: Counting what was read

  private func finish(_ statement: Statement, rows: Int, isWholeTable: Bool = false) {
    rowsRead += Self.rowsRead(statement, rows: rows, isWholeTable: isWholeTable)
    statement.reset()
  }

  /// How many rows and index entries a statement has looked at since it was last asked.
  ///
  /// SQLite counts the steps of walks over a whole table or index. In a range of an index it counts only instructions
  /// of its machine: what these leave after making the results, at about six for each entry looked at, is taken when it
  /// is more.
  private static func rowsRead(_ statement: Statement, rows: Int, isWholeTable: Bool) -> Int {
    let walked = Int(sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
    let instructions = Int(sqlite3_stmt_status(statement.pointer, SQLITE_STMTSTATUS_VM_STEP, 1))
    if isWholeTable { return max(rows, walked) }
    let resultCost = rows * (statement.columns + 8) + 40
    return max(rows, walked, (instructions - resultCost) / 6)
  }
}
#endif

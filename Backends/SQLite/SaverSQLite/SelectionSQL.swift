#if SQLite
  import SaverCore

  /// A selection as a statement, its constants, and what is left for SaverCore.
  struct SelectionSQL {
    /// Everything between `FROM table` and `ORDER BY`.
    var condition = ""
    var order = ""
    var parameters: [Parameter] = []
    var pushed: [Filter] = []
    var residual: [Filter] = []

    init(_ selection: Selection, _ table: Table) {
      let filters = FilterSQL(table: table)
      var conditions: [String] = []
      var height = 0
      for conjunct in selection.filter.conjuncts {
        guard let condition = filters.condition(conjunct),
          conditions.count + max(height, condition.height) <= FilterSQL.heightMax
        else {
          residual.append(conjunct)
          continue
        }
        height = max(height, condition.height)
        conditions.append(condition.sql)
        parameters += condition.parameters
        pushed.append(conjunct)
        if !condition.isExact { residual.append(conjunct) }
      }
      if let after = selection.after {
        let position = PositionSQL(table: table, order: selection.order, values: after).condition()
        conditions.append(position.sql)
        parameters += position.parameters
      }
      if !conditions.isEmpty { condition = " WHERE " + conditions.joined(separator: " AND ") }
      order = " ORDER BY "
      for (index, key) in selection.order.enumerated() {
        if index > 0 { order += ", " }
        order += table.columns[key.column]
        if key.descending { order += " DESC" }
      }
    }

    /// Rows that the statement gives are counted by SQLite only if all of them are results.
    var isLimitedBySQL: Bool { residual.isEmpty }

    /// The statement for rows; when limited by SQL, limit and offset are its last two parameters.
    func rows(_ table: Table) -> String {
      table.select + condition + order + (isLimitedBySQL ? " LIMIT ? OFFSET ?" : "")
    }

    func count(_ table: Table) -> String {
      "SELECT count(*) FROM \(table.name)" + condition
    }
  }
#endif

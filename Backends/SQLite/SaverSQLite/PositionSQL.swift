#if SQLite
  import SaverCore

  /// The condition for rows behind a place in a sorted list (key-set paging).
  struct PositionSQL {
    let table: Table
    let order: [Selection.SortColumn]
    let values: [StoredValue]

    private func name(_ key: Selection.SortColumn) -> String { table.columns[key.column] }
    private func isOptional(_ key: Selection.SortColumn) -> Bool { table.type.isOptional(column: key.column) }

    /// Null comes first, in SQLite as in ours, and last when the order is reversed.
    func condition() -> SQLCondition {
      let first = order[0]
      if order.allSatisfy({ $0.descending == first.descending && !isOptional($0) }) {
        // One comparison of two rows, which an index answers by itself.
        let names = order.map(name).joined(separator: ", ")
        let marks = repeatElement("?", count: order.count).joined(separator: ", ")
        return SQLCondition(
          sql: "(\(names)) \(first.descending ? "<" : ">") (\(marks))", parameters: values.map { .value($0) })
      }
      let expanded = self.expanded()
      guard let bound = bound() else { return expanded }
      return SQLCondition(
        sql: "\(bound.sql) AND \(expanded.sql)", parameters: bound.parameters + expanded.parameters)
    }

    /// Behind in the first key, or equal in it and behind in the second, or …
    private func expanded() -> SQLCondition {
      var alternatives: [String] = []
      var parameters: [Parameter] = []
      for index in order.indices {
        guard let behind = behind(order[index], values[index]) else { continue }
        let equal = (0..<index).map { self.equal(order[$0], values[$0]) }
        alternatives.append("(" + (equal + [behind]).map(\.sql).joined(separator: " AND ") + ")")
        parameters += (equal + [behind]).flatMap(\.parameters)
      }
      if alternatives.isEmpty { return .constant(false) }
      return SQLCondition(sql: "(" + alternatives.joined(separator: " OR ") + ")", parameters: parameters)
    }

    private func equal(_ key: Selection.SortColumn, _ value: StoredValue) -> SQLCondition {
      if value == .null { return SQLCondition(sql: "\(name(key)) IS NULL") }
      return SQLCondition(sql: "\(name(key)) = ?", parameters: [.value(value)])
    }

    /// `nil` if nothing can be behind.
    private func behind(_ key: Selection.SortColumn, _ value: StoredValue) -> SQLCondition? {
      switch (key.descending, value) {
      case (false, .null): SQLCondition(sql: "\(name(key)) IS NOT NULL")
      case (false, _): SQLCondition(sql: "\(name(key)) > ?", parameters: [.value(value)])
      case (true, .null): nil
      case (true, _):
        SQLCondition(
          sql: isOptional(key) ? "(\(name(key)) < ? OR \(name(key)) IS NULL)" : "\(name(key)) < ?",
          parameters: [.value(value)])
      }
    }

    /// What follows for the first key alone: says nothing new, but an index can begin there.
    private func bound() -> SQLCondition? {
      let (key, value) = (order[0], values[0])
      switch (key.descending, value) {
      case (false, .null): return nil
      case (false, _): return SQLCondition(sql: "\(name(key)) >= ?", parameters: [.value(value)])
      case (true, .null): return SQLCondition(sql: "\(name(key)) IS NULL")
      case (true, _):
        if isOptional(key) { return nil }
        return SQLCondition(sql: "\(name(key)) <= ?", parameters: [.value(value)])
      }
    }
  }
#endif

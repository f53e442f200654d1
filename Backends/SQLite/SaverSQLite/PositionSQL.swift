#if SQLite
import SaverCore

/// The conditions for rows behind a place in a sorted list (key-set paging).
struct PositionSQL {
  let table: Table
  let order: [Selection.SortColumn]
  let values: [StoredValue]

  private func name(_ key: Selection.SortColumn) -> String { table.columns[key.column] }
  private func isOptional(_ key: Selection.SortColumn) -> Bool { table.type.isOptional(column: key.column) }

  /// Conditions for the parts of what is behind, in order: all rows of one part come before those of the next.
  ///
  /// Each is a range of an index over the keys: the rows that are equal in all keys but the last and behind in it, then
  /// those that are equal in one key less, and so on. Null comes first, in SQLite as in ours, and last when the order is
  /// reversed.
  func parts() -> [SQLCondition] {
    if let comparison = rowComparison() { return [comparison] }
    return order.indices.reversed().flatMap { index in
      let equal = (0..<index).map { self.equal(order[$0], values[$0]) }
      return behind(order[index], values[index]).map { behind in
        let all = equal + [behind]
        return SQLCondition(
          sql: all.map(\.sql).joined(separator: " AND "), parameters: all.flatMap(\.parameters))
      }
    }
  }

  /// One comparison of two rows, which an index answers by itself: where no null can be behind the place.
  private func rowComparison() -> SQLCondition? {
    let isDescending = order[0].descending
    guard !values.contains(.null),
      order.allSatisfy({ $0.descending == isDescending && !(isDescending && isOptional($0)) })
    else { return nil }
    let names = order.map(name).joined(separator: ", ")
    let marks = repeatElement("?", count: order.count).joined(separator: ", ")
    return SQLCondition(
      sql: "(\(names)) \(isDescending ? "<" : ">") (\(marks))", parameters: values.map { .value($0) })
  }

  private func equal(_ key: Selection.SortColumn, _ value: StoredValue) -> SQLCondition {
    if value == .null { return SQLCondition(sql: "\(name(key)) IS NULL") }
    return SQLCondition(sql: "\(name(key)) = ?", parameters: [.value(value)])
  }

  /// What is behind a value of one key, in order; nothing if the value is the last of all.
  private func behind(_ key: Selection.SortColumn, _ value: StoredValue) -> [SQLCondition] {
    let isNull = SQLCondition(sql: "\(name(key)) IS NULL")
    if value == .null { return key.descending ? [] : [SQLCondition(sql: "\(name(key)) IS NOT NULL")] }
    let beyond = SQLCondition(sql: "\(name(key)) \(key.descending ? "<" : ">") ?", parameters: [.value(value)])
    return key.descending && isOptional(key) ? [beyond, isNull] : [beyond]
  }
}
#endif

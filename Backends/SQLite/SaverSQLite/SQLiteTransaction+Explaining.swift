#if SQLite
import CSQLite
import SaverCore

extension SQLiteTransaction {
  func explain(_ selection: Selection) throws -> QueryPlan {
    let table = try tables.table(selection.type)
    let sql = SelectionSQL(selection, table, after: selection.after)
    var lines: [String] = []
    for part in sql.parts {
      // The plan does not depend on the constants, so none are bound.
      try connection.rows("EXPLAIN QUERY PLAN " + sql.rows(part), doing: "explaining a query") { row in
        lines.append(row.text(3))
      }
    }
    return QueryPlan(
      index: index(lines, table), pushed: sql.pushed, residual: sql.residual,
      isOrderedByIndex: !lines.contains { $0.hasPrefix("USE TEMP B-TREE") }, detail: lines.joined(separator: "\n"))
  }

  /// The index that SQLite names in its plan, as the schema calls it. The one that SQLite itself made of the primary
  /// key counts as an index where it finds rows, not where it only orders them.
  private func index(_ lines: [String], _ table: Table) -> String? {
    for line in lines {
      guard let mark = line.firstRange(of: " USING INDEX ") ?? line.firstRange(of: " USING COVERING INDEX ") else {
        continue
      }
      let name = line[mark.upperBound...].prefix { $0 != " " }
      if name.hasPrefix("sqlite_autoindex") {
        if line.hasPrefix("SEARCH") { return "id" }
        continue
      }
      return table.type.indexes.first { table.name(of: $0) == name }?.name ?? String(name)
    }
    return nil
  }
}
#endif

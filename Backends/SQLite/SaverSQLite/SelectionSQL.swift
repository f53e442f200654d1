#if SQLite
import SaverCore

/// A selection as statements, their constants, and what is left for SaverCore.
struct SelectionSQL {
  /// Conditions of a statement and their constants.
  struct Part {
    var conditions: [String]
    var parameters: [Parameter]
  }

  let table: Table
  /// One after the other they give the rows in order. There is one, unless the selection begins behind a place among
  /// nulls or in keys of both directions.
  private(set) var parts: [Part] = []
  private var order = " ORDER BY "
  private(set) var pushed: [Filter] = []
  private(set) var residual: [Filter] = []

  /// - Parameter after: the place behind which the rows begin.
  init(_ selection: Selection, _ table: Table, after: [StoredValue]?) {
    self.table = table
    let filters = FilterSQL(table: table)
    var conditions: [String] = []
    var parameters: [Parameter] = []
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
    if let after {
      parts = PositionSQL(table: table, order: selection.order, values: after).parts().map { position in
        Part(conditions: conditions + [position.sql], parameters: parameters + position.parameters)
      }
    } else {
      parts = [Part(conditions: conditions, parameters: parameters)]
    }
    for (index, key) in selection.order.enumerated() {
      if index > 0 { order += ", " }
      order += table.columns[key.column]
      if key.descending { order += " DESC" }
    }
  }

  /// How a statement finds its rows.
  enum Access: String {
    /// By the index that SQLite chooses, if any.
    case chosen = ""
    /// All of the table, in its own order: page by page, without a lookup for each row.
    case wholeTable = " NOT INDEXED"
  }

  /// The rows in order. Behind the part's parameters come the residual condition's, a limit, and an offset.
  func rows(_ part: Part, residual condition: String? = nil, _ access: Access = .chosen) -> String {
    table.select + access.rawValue + Self.clause(part, condition) + order + " LIMIT ? OFFSET ?"
  }

  /// The number of rows. Behind the part's parameters come the residual condition's.
  func count(_ part: Part, residual condition: String? = nil) -> String {
    "SELECT count(*) FROM \(table.name)" + Self.clause(part, condition)
  }

  private static func clause(_ part: Part, _ residual: String?) -> String {
    let conditions = part.conditions + (residual.map { [$0] } ?? [])
    return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }
}

extension SelectionSQL {
  /// Whether an index gives the order while none narrows the search: the rows are found one by one along that index,
  /// and most of them may have been looked up for nothing.
  func isWalk(by order: [Selection.SortColumn]) -> Bool {
    let type = table.type
    guard order.allSatisfy({ $0.descending == order[0].descending }) else { return false }
    let columns = order.map(\.column)
    let givesOrder = columns == [0] || type.indexes.contains { ($0.columns + [0]).starts(with: columns) }
    let narrowing = [type.name(ofColumn: 0)] + type.indexes.map { type.name(ofColumn: $0.columns[0]) }
    return givesOrder && !pushed.contains { Self.isNarrowed($0, by: narrowing) }
  }

  /// Whether an index that begins with one of the fields may answer a condition.
  private static func isNarrowed(_ filter: Filter, by fields: [String]) -> Bool {
    switch filter {
    case .compare(let field, _, _), .isIn(let field, _), .hasPrefix(let field, _): fields.contains(field)
    case .and(let parts), .or(let parts): parts.contains { isNarrowed($0, by: fields) }
    case .constant, .not, .compareFields, .count, .contains, .hasSuffix, .hasElement, .search: false
    }
  }
}
#endif

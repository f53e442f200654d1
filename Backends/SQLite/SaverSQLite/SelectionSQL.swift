#if SQLite
import SaverCore

/// A selection as statements, their constants, and what is left for SaverCore.
struct SelectionSQL {
  /// A statement without its beginning: conditions and their constants.
  struct Part {
    var condition: String
    var parameters: [Parameter]
  }

  let table: Table
  /// One after the other they give the rows in order. There is one, unless the selection begins behind a place among
  /// nulls or in keys of both directions.
  private(set) var parts: [Part] = []
  private var order = " ORDER BY "
  private(set) var pushed: [Filter] = []
  private(set) var residual: [Filter] = []

  init(_ selection: Selection, _ table: Table) {
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
    if let after = selection.after {
      parts = PositionSQL(table: table, order: selection.order, values: after).parts().map { position in
        Part(
          condition: Self.condition(conditions + [position.sql]), parameters: parameters + position.parameters)
      }
    } else {
      parts = [Part(condition: Self.condition(conditions), parameters: parameters)]
    }
    for (index, key) in selection.order.enumerated() {
      if index > 0 { order += ", " }
      order += table.columns[key.column]
      if key.descending { order += " DESC" }
    }
  }

  private static func condition(_ conjuncts: [String]) -> String {
    conjuncts.isEmpty ? "" : " WHERE " + conjuncts.joined(separator: " AND ")
  }

  /// Whether every row that the statements give is a result, so that SQLite can count them.
  var isExact: Bool { residual.isEmpty }

  /// Whether SQLite skips and stops: limit and offset are then the last two parameters.
  var isLimitedBySQL: Bool { isExact && parts.count == 1 }

  func rows(_ part: Part) -> String {
    table.select + part.condition + order + (isLimitedBySQL ? " LIMIT ? OFFSET ?" : "")
  }

  func count(_ part: Part) -> String {
    "SELECT count(*) FROM \(table.name)" + part.condition
  }
}
#endif

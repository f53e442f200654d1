#if SQLite
import SaverCore

/// How the history is read for the tables that a store was opened with; made once for a connection that reads it.
struct HistoryForm {
  /// Most fields that a table has.
  let width: Int
  /// The changes after a sequence, in order, with as many columns of old rows as the widest table needs.
  let changes: String
  /// By the index of a table: what tells old rows that have its columns from those of another schema.
  let shapes: [Int64]

  init(_ tables: Tables) {
    width = tables.all.reduce(1) { max($0, $1.type.fields.count) }
    let columns =
      ["sequence", "type", "id", "kind", "shape"].map { "\"\($0)\"" } + (1..<width).map { StoreFormat.oldColumn($0) }
    changes = """
      SELECT \(columns.joined(separator: ", ")) FROM "\(StoreFormat.historyTable)" WHERE "sequence" > ?1
      ORDER BY "sequence"
      """
    shapes = tables.all.map { StoredSchema($0.type).shape }
  }
}
#endif

#if SQLite
import SaverCore

/// The triggers by which a record table logs its changes, whoever makes them.
///
/// They call no function, so that any program can run them, and read nothing but the table itself. What only touches
/// derived columns is not logged: these are no part of a row that anybody sees.
struct HistoryTriggers {
  private let type: String
  /// The names of the fields, the id first, quoted.
  private let fields: [String]
  /// What tells the old rows of this schema from those of another; `nil` if old rows are not kept.
  private let shape: Int64?

  init(_ schema: StoredSchema, keepsRows: Bool) {
    type = schema.name
    fields = schema.fields.map { SQLText.quoted($0.name) }
    shape = keepsRows ? schema.shape : nil
  }

  var definitions: [(name: String, sql: String)] {
    let table = SQLText.quoted(type)
    func trigger(_ part: String, _ event: String, _ condition: String = "", _ statements: String...) -> (
      name: String, sql: String
    ) {
      let name = "\(type)_history_\(part)"
      let when = condition.isEmpty ? "" : "WHEN \(condition)\n"
      let body = statements.map { $0 + ";" }.joined(separator: "\n")
      return (name, "CREATE TRIGGER \(SQLText.quoted(name)) \(event) ON \(table)\n\(when)BEGIN\n\(body)\nEND")
    }
    return [
      trigger("insert", "AFTER INSERT", "", newRow),
      trigger("delete", "AFTER DELETE", "", oldRow("delete")),
      trigger(
        "update", "AFTER UPDATE OF \(fields.joined(separator: ", "))", #"NEW."id" IS OLD."id""#, oldRow("update")),
      trigger("rename", #"AFTER UPDATE OF "id""#, #"NEW."id" IS NOT OLD."id""#, oldRow("delete"), newRow),
      // A REPLACE removes the row that has the id or the rowid already, and no other trigger is told. -1 stands for a
      // rowid that is still to be given.
      trigger(
        "replace", "BEFORE INSERT",
        #"NEW._rowid_ <> -1 OR EXISTS (SELECT 1 FROM \#(table) WHERE "id" = NEW."id")"#,
        rowInTheWay(table, #""id" = NEW."id" OR _rowid_ = NEW._rowid_"#)),
      trigger(
        "overwrite", "BEFORE UPDATE", #"NEW."id" IS NOT OLD."id" OR NEW._rowid_ IS NOT OLD._rowid_"#,
        rowInTheWay(table, #"("id" = NEW."id" OR _rowid_ = NEW._rowid_) AND "id" IS NOT OLD."id""#)),
    ]
  }

  private var newRow: String {
    "INSERT INTO \(Self.history) (\"type\", \"id\", \"kind\") VALUES ('\(type)', NEW.\"id\", 'insert')"
  }

  private func oldRow(_ kind: String) -> String {
    "\(insertion) VALUES (\(values(kind, of: "OLD.")))"
  }

  private func rowInTheWay(_ table: String, _ condition: String) -> String {
    "\(insertion) SELECT \(values("update", of: "")) FROM \(table) WHERE \(condition)"
  }

  private static let history = SQLText.quoted(StoreFormat.historyTable)

  private var insertion: String {
    var columns = ["\"type\"", "\"id\"", "\"kind\""]
    if shape != nil {
      columns.append("\"shape\"")
      columns += fields.indices.dropFirst().map { StoreFormat.oldColumn($0) }
    }
    return "INSERT INTO \(Self.history) (\(columns.joined(separator: ", ")))"
  }

  private func values(_ kind: String, of row: String) -> String {
    var values = ["'\(type)'", row + fields[0], "'\(kind)'"]
    if let shape {
      values.append("\(shape)")
      values += fields.dropFirst().map { row + $0 }
    }
    return values.joined(separator: ", ")
  }
}

extension StoredSchema {
  /// A number made of the names and types of the fields: old rows that have another one have other columns.
  var shape: Int64 {
    var hash = StableHash()
    for field in fields {
      hash.combine(field.name.utf8)
      hash.combine(field.type.rawValue.utf8)
    }
    // Four bytes in each entry of the history are enough for the few shapes that a type ever has.
    return Int64(hash.value >> 33)
  }
}
#endif

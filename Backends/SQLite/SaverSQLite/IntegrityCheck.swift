#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// Looks for what is wrong with a store: in SQLite's structures, in ours, and in the rows. Reads everything.
struct IntegrityCheck {
  let connection: Connection
  let store: OpenStore
  /// SQLite is asked for no more problems than this.
  static let problemsMax = 20

  func problems() throws -> [String] {
    var problems: [String] = []
    // Structure, indexes against rows, CHECK and NOT NULL.
    try connection.rows("PRAGMA integrity_check(\(Self.problemsMax))", doing: "checking the store") { row in
      let text = row.text(0)
      if text != "ok" { problems.append("SQLite: \(text)") }
    }
    problems += try historyProblems()
    let keepsRows = try StoreMeta(connection).keepsRows
    for table in store.tables.all {
      problems += try missingObjects(of: table, keepsRows: keepsRows)
      problems += try brokenRows(of: table)
    }
    return problems
  }

  /// Indexes and triggers that another program has dropped, or made anew in another way.
  private func missingObjects(of table: Table, keepsRows: Bool) throws -> [String] {
    var found: [String: String] = [:]
    try connection.rows(
      "SELECT name, sql FROM sqlite_schema WHERE tbl_name = ?1 AND sql IS NOT NULL", [.text(table.type.name)],
      doing: "checking the store"
    ) { found[$0.text(0)] = $0.text(1) }
    let expected =
      table.indexDefinitions.map { ("index", $0.name, $0.sql) }
      + table.triggerDefinitions(keepsRows: keepsRows).map { ("trigger", $0.name, $0.sql) }
    return expected.compactMap { kind, name, sql in
      switch found[name] {
      case sql: nil
      case nil: "The \(kind) '\(name)' of '\(table.type.name)' is missing: another program has dropped it."
      default: "The \(kind) '\(name)' of '\(table.type.name)' is not as it was made."
      }
    }
  }

  /// Rows of other programs that are no record, and derived values that are not those of their source.
  private func brokenRows(of table: Table) throws -> [String] {
    let type = table.type
    var broken: (count: Int, first: String) = (0, "")
    var stale: (count: Int, first: String) = (0, "")
    let statement = try connection.prepare(
      "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name)", type)
    while true {
      let result = sqlite3_step(statement.pointer)
      if result == SQLITE_DONE { break }
      guard result == SQLITE_ROW else { throw connection.failure(result, doing: "checking the store") }
      statement.fillSlots()
      let row = RowView(slots: statement.slots, count: type.fields.count)
      if let error = Self.error(in: row, type) {
        broken.count += 1
        if broken.count == 1 {
          broken.first = "\(Self.id(of: row)), '\(type.name(ofColumn: error.column))' \(error.reason)"
        }
      }
      for column in type.fields.count..<table.columns.count where statement.slots[column].kind != .null {
        var value = type.derivedValue(ofColumn: column, in: row)
        let isRight = value.withUTF8 { $0.elementsEqual(statement.slots[column].bytes) }
        if !isRight {
          stale.count += 1
          if stale.count == 1 { stale.first = "\(Self.id(of: row)), '\(type.name(ofColumn: column))'" }
        }
      }
    }
    var problems: [String] = []
    if broken.count > 0 {
      problems.append("\(broken.count) of '\(type.name)' cannot be read as a record, the first: \(broken.first).")
    }
    if stale.count > 0 {
      problems.append("\(stale.count) derived values of '\(type.name)' are out of date, the first: \(stale.first).")
    }
    return problems
  }

  private static func error(in row: borrowing RowView, _ type: RecordType) -> RowError? {
    for (column, field) in type.fields.enumerated() {
      if row[slot: column].kind == .null {
        if !field.isOptional { return RowError(column: column, reason: "holds nothing") }
        continue
      }
      do {
        _ = try StoredValue.decode(row, column, as: field.type)
      } catch {
        return error as? RowError
      }
    }
    return nil
  }

  private static func id(of row: borrowing RowView) -> String {
    let id: UUID? = try? row[0]
    return id?.hexadecimal ?? "one without a valid id"
  }
}
#endif

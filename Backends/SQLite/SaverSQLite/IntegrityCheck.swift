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
    var problems = try structuralProblems()
    problems += try historyProblems()
    let keepsRows = try StoreMeta(connection).keepsRows
    for table in store.tables.all {
      problems += try missingObjects(of: table, keepsRows: keepsRows)
      problems += try brokenRows(of: table)
    }
    return problems
  }

  /// What SQLite itself finds: structure, indexes against rows, CHECK and NOT NULL.
  func structuralProblems() throws -> [String] {
    var problems: [String] = []
    try connection.rows("PRAGMA integrity_check(\(Self.problemsMax))", doing: "checking the store") { row in
      let text = row.text(0)
      if text != "ok" { problems.append("SQLite: \(text)") }
    }
    return problems
  }

  /// Indexes and triggers that another program has dropped, or made anew in another way.
  private func missingObjects(of table: Table, keepsRows: Bool) throws -> [String] {
    let triggers = table.triggerDefinitions(keepsRows: keepsRows)
    return try unlike("index", table.indexDefinitions, table).map(\.problem)
      + unlike("trigger", triggers, table).map(\.problem)
  }

  /// Those of these parts of a table that are not there, or are not as they were made.
  func unlike(
    _ kind: String, _ expected: [(name: String, sql: String)], _ table: Table
  ) throws -> [(name: String, sql: String, problem: String)] {
    var found: [String: String] = [:]
    try connection.rows(
      "SELECT name, sql FROM sqlite_schema WHERE type = ?1 AND tbl_name = ?2 AND sql IS NOT NULL",
      [.text(kind), .text(table.type.name)], doing: "checking the store"
    ) { found[$0.text(0)] = $0.text(1) }
    return expected.compactMap { name, sql in
      if found[name] == sql { return nil }
      let problem =
        found[name] == nil ? "is missing: another program has dropped it." : "is not as it was made."
      return (name, sql, "The \(kind) '\(name)' of '\(table.type.name)' \(problem)")
    }
  }

  /// Rows of other programs that are no record, and derived values that are not those of their source.
  private func brokenRows(of table: Table) throws -> [String] {
    let type = table.type
    var broken: (count: Int, first: String) = (0, "")
    var stale: (count: Int, first: String) = (0, "")
    try forEachRow(of: table) { slots in
      let row = RowView(slots: slots, count: type.fields.count)
      if let error = Self.error(in: row, type) {
        broken.count += 1
        if broken.count == 1 {
          broken.first = "\(Self.id(of: row)), '\(type.name(ofColumn: error.column))' \(error.reason)"
        }
      }
      for column in Self.staleColumns(slots, table) {
        stale.count += 1
        if stale.count == 1 { stale.first = "\(Self.id(of: row)), '\(type.name(ofColumn: column))'" }
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

  /// Calls `body` with the slots of each row, derived columns included.
  private func forEachRow(of table: Table, _ body: (UnsafePointer<Slot>) -> Void) throws {
    let statement = try connection.prepare(
      "SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name)", table.type)
    while true {
      let result = sqlite3_step(statement.pointer)
      if result == SQLITE_DONE { return }
      guard result == SQLITE_ROW else { throw connection.failure(result, doing: "checking the store") }
      statement.fillSlots()
      body(UnsafePointer(statement.slots))
    }
  }

  /// The derived columns of a row that hold another value than their source gives.
  private static func staleColumns(_ slots: UnsafePointer<Slot>, _ table: Table) -> [Int] {
    let fields = table.type.fields.count
    return (fields..<table.columns.count).filter { column in
      if slots[column].kind == .null { return false }
      var value = table.type.derivedValue(ofColumn: column, in: RowView(slots: slots, count: fields))
      return value.withUTF8 { !$0.elementsEqual(slots[column].bytes) }
    }
  }

  /// The ids of the rows that have a derived value which is out of date.
  func staleRows(of table: Table) throws -> [[UInt8]] {
    if table.type.derived.isEmpty { return [] }
    var ids: [[UInt8]] = []
    try forEachRow(of: table) { slots in
      if !Self.staleColumns(slots, table).isEmpty { ids.append(Array(slots[0].bytes)) }
    }
    return ids
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

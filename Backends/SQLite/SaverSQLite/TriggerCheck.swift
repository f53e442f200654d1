#if SQLite
import CSQLite
import SaverCore

/// Whether the tables log their changes: another program can have dropped a trigger, or made a table anew without them.
///
/// Isolation: used within a transaction of its connection.
struct TriggerCheck {
  let connection: Connection
  let tables: Tables

  /// Whether all triggers are as they were made. Looks only if the schema has changed since the last look.
  func isComplete() throws -> Bool {
    let version = try connection.currentSchema()
    if let checked = connection.checkedSchema, checked.version == version { return checked.isComplete }
    let isComplete = try damagedTables().isEmpty
    connection.checkedSchema = (version, isComplete)
    return isComplete
  }

  private func damagedTables() throws -> [Table] {
    let keepsRows = try keepsRows()
    let found = try triggers()
    return tables.all.filter { table in
      !table.triggerDefinitions(keepsRows: keepsRows).allSatisfy { trigger in found.contains { $0 == trigger } }
    }
  }

  /// All triggers. The text names the table.
  private func triggers() throws -> [(name: String, sql: String)] {
    var found: [(name: String, sql: String)] = []
    try connection.rows(
      "SELECT \"name\", \"sql\" FROM sqlite_schema WHERE \"type\" = 'trigger'", doing: "reading the store"
    ) { found.append(($0.text(0), $0.text(1))) }
    return found
  }

  private func keepsRows() throws -> Bool {
    try connection.integer(
      """
      SELECT coalesce((SELECT "value" FROM "\(StoreFormat.metaTable)" WHERE "key" = '\(StoreFormat.keepsRowsKey)'), 1)
      """) != 0
  }

  // MARK: Repair

  /// Makes the triggers again. The caller says in the history that anything may have changed meanwhile.
  ///
  /// - Throws: ``StorageError`` with `corrupt` if a table is gone, or lacks a column: that is nothing that could be made
  ///   again.
  func repair() throws {
    let keepsRows = try keepsRows()
    let found = try triggers()
    for table in try damagedTables() {
      try requireColumns(table)
      for (name, sql) in table.triggerDefinitions(keepsRows: keepsRows) {
        try connection.execute("DROP TRIGGER IF EXISTS \(SQLText.quoted(name))", doing: "mending the store")
        try connection.execute(sql, doing: "mending the store")
      }
      try repairDerived(table, found)
      try repairIndexes(table)
    }
  }

  private func requireColumns(_ table: Table) throws {
    var columns: Set<String> = []
    try connection.rows(
      "SELECT name FROM pragma_table_info(?1)", [.text(table.type.name)], doing: "mending the store"
    ) { columns.insert(SQLText.quoted($0.text(0))) }
    guard let missing = table.columns.first(where: { !columns.contains($0) }) else { return }
    throw StorageError(
      .corrupt,
      (columns.isEmpty ? "The table '\(table.type.name)'" : "The column \(missing) of '\(table.type.name)'")
        + " is gone: another program has dropped or renamed it. Put it back, or restore a backup.",
      path: connection.path)
  }

  /// Derived values that nobody has cleared may be those of another text.
  private func repairDerived(_ table: Table, _ found: [(name: String, sql: String)]) throws {
    for (derived, trigger) in zip(table.type.derived, table.clearingTriggers)
    where !found.contains(where: { $0 == trigger }) {
      let column = SQLText.quoted(derived.name)
      try connection.execute(
        "UPDATE \(table.name) SET \(column) = NULL WHERE \(column) IS NOT NULL", doing: "mending the store")
    }
  }

  /// A table that was made anew lacks them, too.
  private func repairIndexes(_ table: Table) throws {
    var names: Set<String> = []
    try connection.rows(
      "SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'index' AND \"tbl_name\" = ?1", [.text(table.type.name)],
      doing: "mending the store"
    ) { names.insert($0.text(0)) }
    for (name, sql) in table.indexDefinitions where !names.contains(name) {
      try connection.execute("DROP INDEX IF EXISTS \(SQLText.quoted(name))", doing: "mending the store")
      try connection.execute(sql, doing: "mending the store")
    }
  }
}
#endif

#if SQLite
import CSQLite
import SaverCore

/// Brings the tables of a store to the program's schemas: adds what is missing, rewrites what is older.
struct SchemaUpgrade {
  let connection: Connection
  let tables: Tables
  let configuration: SQLiteBackend.Configuration
  let retention: HistoryRetention

  /// Whether a schema, or the setting of the history, is not the program's.
  ///
  /// - Throws: ``StorageError`` with `schemaMismatch`, before anybody waits for a lock, if it cannot be brought there.
  func isNeeded(_ meta: StoreMeta) throws -> Bool {
    var isNeeded = meta.keepsRows != retention.keepsRows
    for table in tables.all {
      let stored = meta.schema(of: table.type)
      if stored == StoredSchema(table.type).text { continue }
      if let stored { _ = try migration(of: table, from: stored) }
      isNeeded = true
    }
    return isNeeded
  }

  /// Does what is needed, in one transaction. The thread has the writer lock.
  func run(until deadline: Deadline) throws {
    // Renaming a table must not look into what other programs have made of it: views that name it stay as they are.
    _ = saver_sqlite3_db_config(connection.pointer, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 1)
    defer { _ = saver_sqlite3_db_config(connection.pointer, SQLITE_DBCONFIG_LEGACY_ALTER_TABLE, 0) }
    connection.deadline = deadline
    try connection.execute("PRAGMA synchronous = \(configuration.synchronous.rawValue)", doing: "migrating the store")
    // Before SQLite opens its temporary storage for a change of the schema.
    connection.sortInMemory()
    try connection.run("BEGIN IMMEDIATE", doing: "migrating the store")
    do {
      // Another process may have been first.
      let meta = try StoreMeta(connection)
      try widenHistory()
      try changeKeepsRows(meta)
      var isRewritten = false
      for table in tables.all {
        if try upgrade(table, from: meta.schema(of: table.type)) { isRewritten = true }
      }
      if isRewritten {
        var log = try HistoryLog(connection)
        try log.addUnknown()
        _ = try log.finish(WriteOperation("migrate"), hasOldRows: false, retention)
      }
      try connection.commit()
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Makes the tables of all types, in a new store.
  func addAll() throws {
    try widenHistory()
    for table in tables.all { try add(table) }
  }

  // MARK: The history

  /// Gives the history a column for each of the widest type.
  private func widenHistory() throws {
    var columns = 0
    try connection.rows(
      "SELECT count(*) FROM pragma_table_info('\(StoreFormat.historyTable)') WHERE name LIKE 'old!_%' ESCAPE '!'",
      doing: "migrating the store"
    ) { columns = $0.integer(0) }
    let wanted = (tables.all.map(\.type.fields.count).max() ?? 1) - 1
    guard columns < wanted else { return }
    for column in columns + 1...wanted {
      try connection.execute(
        "ALTER TABLE \"\(StoreFormat.historyTable)\" ADD COLUMN \(StoreFormat.oldColumn(column))",
        doing: "migrating the store")
    }
  }

  /// Makes the triggers of all tables anew, those of types that this program does not know included. Old rows that
  /// nobody wants kept any more are forgotten.
  private func changeKeepsRows(_ meta: StoreMeta) throws {
    guard meta.keepsRows != retention.keepsRows else { return }
    try StoreMeta.write(keepsRows: retention.keepsRows, connection)
    for (_, text) in meta.schemas {
      guard let schema = StoredSchema(parsing: text) else { continue }
      for (name, sql) in HistoryTriggers(schema, keepsRows: retention.keepsRows).definitions {
        try connection.execute("DROP TRIGGER IF EXISTS \(SQLText.quoted(name))", doing: "changing the history")
        try connection.execute(sql, doing: "changing the history")
      }
    }
    if !retention.keepsRows { try forgetRows() }
  }

  private func forgetRows() throws {
    var assignments = ["\"shape\" = NULL"]
    try connection.rows(
      "SELECT name FROM pragma_table_info('\(StoreFormat.historyTable)') WHERE name LIKE 'old!_%' ESCAPE '!'",
      doing: "changing the history"
    ) { assignments.append("\(SQLText.quoted($0.text(0))) = NULL") }
    try connection.execute(
      """
      UPDATE "\(StoreFormat.historyTable)" SET \(assignments.joined(separator: ", "))
      WHERE "shape" IS NOT NULL AND "kind" <> 'unknown';
      UPDATE "\(StoreFormat.transactionTable)" SET "bytes" = 0, "bytes_before" = 0
      """, doing: "changing the history")
  }

  // MARK: The tables

  private func migration(of table: Table, from stored: String) throws -> SchemaMigration? {
    guard let schema = StoredSchema(parsing: stored) else {
      throw StorageError(
        .corrupt, "The stored schema of '\(table.type.name)' cannot be read. Restore a backup.", path: connection.path)
    }
    do {
      return try SchemaMigration(from: schema, to: table.type)
    } catch var error as StorageError {
      error.path = error.path ?? connection.path
      throw error
    }
  }

  /// Whether rows were written anew.
  private func upgrade(_ table: Table, from stored: String?) throws -> Bool {
    guard let stored else {
      try add(table)
      return false
    }
    guard let migration = try migration(of: table, from: stored) else { return false }
    try requireKnownColumns(of: table, migration.from)
    try rebuild(table, migration)
    return true
  }

  private func add(_ table: Table) throws {
    try connection.rows(
      "SELECT 1 FROM sqlite_schema WHERE name = ?1", [.text(table.type.name)], doing: "making a table"
    ) { _ in
      throw StorageError(
        .schemaMismatch, "Another program has made a '\(table.type.name)' in the store. Rename or drop it.",
        path: connection.path)
    }
    for statement in table.definition(keepsRows: retention.keepsRows) {
      try connection.execute(statement, doing: "making a table")
    }
    try StoreMeta.write(schemaOf: table.type, connection)
  }

  /// A column that another program has added would be lost with what is in it.
  private func requireKnownColumns(of table: Table, _ schema: StoredSchema) throws {
    let known = Set(schema.fields.map(\.name)).union(schema.derivedNames)
    try connection.rows(
      "SELECT name FROM pragma_table_info(?1)", [.text(table.type.name)], doing: "migrating the store"
    ) { row in
      let name = row.text(0)
      if known.contains(name) { return }
      throw StorageError(
        .schemaMismatch,
        "'\(table.type.name)' has a column '\(name)' that another program added, and that migrating would lose."
          + " Drop the column first.", path: connection.path)
    }
  }

  /// Copies the rows into a new table, which then takes the old one's name; neither logs anything. Derived values are left for the next
  /// writer to compute: the way in which they are computed may have changed.
  private func rebuild(_ table: Table, _ migration: SchemaMigration) throws {
    let new = "\(table.type.name)_new"
    var expressions: [String] = []
    for source in migration.columns {
      switch source {
      case .stored(let column): expressions.append(SQLText.quoted(migration.from.fields[column].name))
      case .default(let value): expressions.append(SQLText.defaultExpression(value) ?? "NULL")
      }
    }
    let columns = table.columns.prefix(table.type.fields.count).joined(separator: ", ")
    let statements =
      [
        table.tableDefinition(named: new),
        """
        INSERT INTO \(SQLText.quoted(new)) (\(columns))
        SELECT \(expressions.joined(separator: ", ")) FROM \(table.name) ORDER BY rowid
        """,
        "DROP TABLE \(table.name)",
        "ALTER TABLE \(SQLText.quoted(new)) RENAME TO \(table.name)",
      ] + table.indexDefinitions.map(\.sql) + table.triggerDefinitions(keepsRows: retention.keepsRows).map(\.sql)
    for statement in statements { try connection.execute(statement, doing: "migrating the store") }
    try StoreMeta.write(schemaOf: table.type, connection)
  }
}

extension StoredSchema {
  /// The names of its derived columns: the text says them, the type keeps them to itself.
  fileprivate var derivedNames: Set<String> {
    Set(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        return words.count > 1 && words[0] == "derived" ? String(words[1]) : nil
      })
  }
}
#endif

#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

extension SQLiteTransaction {
  func insert(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws {
    let table = try tables.table(type)
    let statement = try connection.tableStatements[table.index].insert ?? prepareInsert(table)
    try write(table, statement, fill)
  }

  func update(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> Bool {
    let table = try tables.table(type)
    if table.sparesIndexes {
      try write(table, try updateBesideIndexes(table), orElse: { try self.updateStatement(table) }, fill)
    } else {
      try write(table, try updateStatement(table), fill)
    }
    if !table.sources.isEmpty { hasUpdatedDerived = true }
    hasOldRows = true
    return sqlite3_changes(connection.pointer) > 0
  }

  func delete(_ type: RecordType, _ id: UUID) throws -> Bool {
    let table = try tables.table(type)
    let statement = try connection.tableStatements[table.index].delete ?? prepareDelete(table)
    if let lostBy { throw lostBy }
    defer { sqlite3_reset(statement.pointer) }
    return try withUnsafeBytes(of: id.uuid) { bytes in
      try check(statement.bind(.bytes(.blob, bytes.baseAddress, bytes.count), 1))
      let result = sqlite3_step(statement.pointer)
      guard result == SQLITE_DONE else { throw failed(result, "deleting") }
      hasOldRows = true
      return sqlite3_changes(connection.pointer) > 0
    }
  }

  @inline(never) private func prepareInsert(_ table: Table) throws -> Statement {
    let statement = try connection.prepare(table.insert)
    connection.tableStatements[table.index].insert = statement
    return statement
  }

  private func updateStatement(_ table: Table) throws -> Statement {
    if let statement = connection.tableStatements[table.index].update { return statement }
    let statement = try connection.prepare(table.update)
    connection.tableStatements[table.index].update = statement
    return statement
  }

  private func updateBesideIndexes(_ table: Table) throws -> Statement {
    if let statement = connection.tableStatements[table.index].updateBesideIndexes { return statement }
    let statement = try connection.prepare(table.updateBesideIndexes)
    connection.tableStatements[table.index].updateBesideIndexes = statement
    return statement
  }

  @inline(never) private func prepareDelete(_ table: Table) throws -> Statement {
    let statement = try connection.prepare(table.delete)
    connection.tableStatements[table.index].delete = statement
    return statement
  }

  /// Fills a row and runs the statement with it. Nothing is copied: the statement reads out of the writer's arena.
  ///
  /// - Parameter other: what is run if the statement changes nothing.
  private func write(
    _ table: Table, _ statement: Statement, orElse other: (() throws -> Statement)? = nil,
    _ fill: (inout RowWriter) -> Void
  ) throws {
    // Each statement would now be a transaction of its own.
    if let lostBy { throw lostBy }
    let count = table.type.fields.count
    if writerColumns < count {
      writer = RowWriter(columns: count, listEncoding: .json)
      writerColumns = count
    }
    writer.begin()
    fill(&writer)
    do {
      try writer.finish { row in
        precondition(row.count == count, "a record writes one value for each of its fields")
        try run(statement, table, row)
        if let other, sqlite3_changes(connection.pointer) == 0 { try run(other(), table, row) }
      }
    } catch let error as RowError {
      throw StorageError(invalid: table.type, error)
    }
  }

  /// Runs a statement whose parameters are the columns of a row.
  @inline(__always) private func run(_ statement: Statement, _ table: Table, _ row: borrowing RowView) throws {
    defer { sqlite3_reset(statement.pointer) }
    for column in 0..<row.count {
      try check(statement.bind(row[slot: column], Int32(truncatingIfNeeded: column + 1)))
    }
    for column in row.count..<table.columns.count {
      let value = table.type.derivedValue(ofColumn: column, in: row)
      try check(statement.bind(text: value.utf8, Int32(truncatingIfNeeded: column + 1)))
    }
    let result = sqlite3_step(statement.pointer)
    if result != SQLITE_DONE { throw refused(result, table, row) }
  }

  /// The error of a row that SQLite did not take. The transaction goes on without it.
  @inline(never)
  private func refused(_ result: Int32, _ table: Table, _ row: borrowing RowView) -> any Error {
    let error = failed(result, "writing")
    guard result & 0xff == SQLITE_CONSTRAINT else { return error }
    hasRefusedRow = true
    if result == SAVER_SQLITE_CONSTRAINT_PRIMARYKEY, let id: UUID = try? row[0] {
      return StorageError.duplicateID(id, table.type)
    }
    return StorageError(
      .invalidRecord, "This \(table.type.name) is refused by a condition that another program put on the table.",
      path: connection.path, cause: error.cause)
  }

  // MARK: Derived columns

  /// Computes the derived values that other programs' writes have left out. Where there are none, one look at an empty
  /// index for each derived column.
  func fillDerived() throws {
    for table in tables.all {
      for index in table.type.derived.indices { try fill(derived: index, table) }
    }
    hasUpdatedDerived = false
  }

  private func fill(derived index: Int, _ table: Table) throws {
    let derived = table.type.derived[index]
    let column = table.columns[table.type.fields.count + index]
    let source = table.columns[table.sources[index]]
    let batch = 256
    // In the order of ids, each portion behind the one before: it ends, whatever a foreign trigger makes of it.
    let next = """
      SELECT "id", \(source) FROM \(table.name) WHERE \(column) IS NULL AND "id" > ?1 ORDER BY "id" LIMIT \(batch)
      """
    var last: [UInt8] = []
    while true {
      var missing: [(id: [UInt8], value: String)] = []
      let select = try connection.statement(next)
      defer { select.reset() }
      try check(select.bind(blob: last, 1))
      while try step(select) {
        select.fillSlots()
        let text = select.slots[1].kind == .text ? String(validating: select.slots[1].bytes) : nil
        missing.append((Array(select.slots[0].bytes), text.map(derived.compute) ?? ""))
      }
      select.reset()
      if missing.isEmpty { return }
      let update = try connection.statement("UPDATE \(table.name) SET \(column) = ?2 WHERE \"id\" = ?1")
      defer { update.reset() }
      for (id, value) in missing {
        sqlite3_reset(update.pointer)
        try check(update.bind(blob: id, 1))
        try check(update.bind(text: value.utf8, 2))
        _ = try step(update)
      }
      if missing.count < batch { return }
      last = missing[missing.count - 1].id
    }
  }
}
#endif

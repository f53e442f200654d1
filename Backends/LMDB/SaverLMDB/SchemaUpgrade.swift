#if LMDB
import CLMDB
import SaverCore

/// Brings the databases of a store to the program's schemas: adds what is missing, rewrites what is older.
struct SchemaUpgrade {
  let environment: Environment
  let types: [RecordType]
  let deadline: Deadline

  private var path: String { environment.path }

  /// Does nothing, and takes no lock, if every schema is the program's already.
  func run() throws {
    guard try isNeeded() else { return }
    let isChanged = try environment.lock.withLock(until: deadline) {
      // One transaction at a time may open databases.
      try environment.handles.withLock { handles in
        let transaction = try environment.begin(writing: true, until: deadline)
        var opened = handles
        var changes: [Change] = []
        do {
          changes = try types.map { try upgrade($0, transaction, &opened) }
          if changes.contains(where: { $0 != .nothing }) { try record(changes, transaction, opened) }
        } catch {
          environment.end(transaction)
          throw error
        }
        try environment.commit(transaction)
        handles = opened
        return changes.contains { $0 != .nothing }
      }
    }
    if isChanged { NotifyFile.touch(NotifyFile.path(for: StoreFile(path: path))) }
  }

  /// What was done about one type.
  private enum Change {
    case nothing
    /// It is new to the store, or its indexes or the description of its schema were.
    case added
    /// Its rows have another form.
    case rewritten
  }

  /// Writes the entry of the history that says that rows have changed.
  private func record(_ changes: [Change], _ pointer: OpaquePointer, _ handles: [String: MDB_dbi]) throws {
    guard let tables = Tables(types, handles: handles) else {
      throw StorageError(.corrupt, "Databases of the store have vanished. Restore a backup.", path: path)
    }
    let transaction = LMDBTransaction(environment, tables)
    transaction.take(pointer, writing: true)
    defer { transaction.leave() }
    let rewritten = zip(tables.all, changes).filter { $0.1 == .rewritten }.map(\.0)
    try transaction.recordMigration(rewritten: rewritten)
  }

  private func isNeeded() throws -> Bool {
    let handles = environment.handles.withLock { $0 }
    guard let meta = handles[StoreMeta.database] else {
      throw StorageError(.corrupt, "The store's description of itself has vanished. Restore a backup.", path: path)
    }
    let transaction = try environment.begin(writing: false, until: deadline)
    defer { environment.end(transaction) }
    var isNeeded = false
    for type in types {
      let stored = try StoreMeta.schema(of: type, meta, transaction, path: path)
      let isComplete = Table.names(type).allSatisfy { handles[$0] != nil }
      if stored == StoredSchema(type).text && isComplete { continue }
      // Says now, before anybody waits for a lock, that it cannot be done.
      if let stored {
        _ = try Self.migration(of: type, from: stored, path: path)
        try requireRows(of: type, handles)
      }
      isNeeded = true
    }
    return isNeeded
  }

  /// - Throws: ``StorageError`` with `schemaMismatch` if there is no way from the stored schema to the program's.
  static func migration(of type: RecordType, from stored: String, path: String) throws -> SchemaMigration? {
    guard let schema = StoredSchema(parsing: stored) else {
      throw StorageError(
        .corrupt, "The stored schema of '\(type.name)' cannot be read. Restore a backup.", path: path)
    }
    do {
      return try SchemaMigration(from: schema, to: type)
    } catch var error as StorageError {
      error.path = error.path ?? path
      throw error
    }
  }

  /// An index can be made anew, rows cannot.
  private func requireRows(of type: RecordType, _ handles: [String: MDB_dbi]) throws {
    guard handles[Table.rowsName(type)] == nil else { return }
    throw StorageError(
      .corrupt, "The rows of '\(type.name)' have vanished from the store. Restore a backup.", path: path)
  }

  // MARK: One type

  private func upgrade(
    _ type: RecordType, _ transaction: OpaquePointer, _ handles: inout [String: MDB_dbi]
  ) throws -> Change {
    guard let meta = handles[StoreMeta.database] else { return .nothing }
    // Another process may have been first.
    let stored = try StoreMeta.schema(of: type, meta, transaction, path: path)
    let known = Set(handles.keys)
    for name in Table.names(type) where handles[name] == nil {
      handles[name] = try environment.database(name, transaction, creating: true)
    }
    guard let table = Table(type, handles: handles) else {
      throw StorageError(.internalError, "Databases of '\(type.name)' cannot be opened.", path: path)
    }
    var isRewritten = false
    if let stored {
      let migration = try Self.migration(of: type, from: stored, path: path)
      if migration == nil && Table.names(type).allSatisfy(known.contains) { return .nothing }
      if let migration { isRewritten = try rewrite(table, migration, transaction) }
      try dropUnknownIndexes(of: type, transaction, known)
    }
    try table.rebuildIndexes(transaction, path: path)
    try StoreMeta.remove(table.staleKey, meta, transaction, path: path)
    try StoreMeta.putSchema(of: type, meta, transaction, path: path)
    return isRewritten ? .rewritten : .added
  }

  /// - Returns: whether the rows have another form now.
  private func rewrite(_ table: Table, _ migration: SchemaMigration, _ transaction: OpaquePointer) throws -> Bool {
    let isUnchanged = migration.columns.indices.allSatisfy { migration.columns[$0] == .stored($0) }
    if isUnchanged && migration.columns.count == migration.from.fields.count { return false }
    var rewriting = try RowRewriting(table, migration)
    var next: [UInt8]? = []
    // Not while a cursor walks over them: some at a time are read, then written.
    while let start = next {
      var rows: [(key: [UInt8], value: [UInt8])] = []
      next = nil
      var cursor = try RangeCursor(
        table.rows, in: transaction, ranges: [KeyRange(lower: start)], descending: false, path: path)
      while try cursor.next() {
        let key = Array(UnsafeRawBufferPointer(start: cursor.key.mv_data, count: cursor.key.mv_size))
        if rows.count == 256 {
          next = key
          break
        }
        rows.append((key, rewriting.value(of: cursor.value)))
      }
      for row in rows {
        let result = row.key.withUnsafeBytes { key in
          row.value.withUnsafeBytes { value in
            var (key, value) = (MDB_val(key), MDB_val(value))
            return mdb_put(transaction, table.rows, &key, &value, 0)
          }
        }
        if result != 0 { throw StorageError(lmdb: result, doing: "migrating the store", path: path) }
      }
    }
    return true
  }

  /// Drops indexes that the schema does not have any more. One that this process has open is only emptied.
  private func dropUnknownIndexes(
    of type: RecordType, _ transaction: OpaquePointer, _ known: Set<String>
  ) throws {
    let beginning = "\(type.name)."
    let current = Set(Table.names(type))
    for name in try names(beginningWith: beginning, transaction) where !current.contains(name) {
      guard let database = try environment.database(name, transaction, creating: false) else { continue }
      let result = mdb_drop(transaction, database, known.contains(name) ? 0 : 1)
      if result != 0 { throw StorageError(lmdb: result, doing: "dropping an index", path: path) }
    }
  }

  private func names(beginningWith beginning: String, _ transaction: OpaquePointer) throws -> [String] {
    var main: MDB_dbi = 0
    let result = mdb_dbi_open(transaction, nil, 0, &main)
    guard result == 0 else { throw StorageError(lmdb: result, doing: "listing its databases", path: path) }
    var names: [String] = []
    var cursor = try RangeCursor(
      main, in: transaction, ranges: [KeyRange(lower: Array(beginning.utf8))], descending: false, path: path)
    while try cursor.next() {
      let key = UnsafeRawBufferPointer(start: cursor.key.mv_data, count: cursor.key.mv_size)
      guard key.starts(with: beginning.utf8), let name = String(validating: key) else { break }
      names.append(name)
    }
    return names
  }
}
#endif

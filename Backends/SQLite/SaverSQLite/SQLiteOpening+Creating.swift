#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

extension SQLiteOpening {
  /// Makes the store under another name, complete, and renames it into place: nobody ever sees half of one.
  func create() throws {
    let file = try StoreFile(path: path).resolvedForMaking()
    let lock = WriterLock(path: file.lockPath)
    try lock.withLock(until: deadline) {
      // Another process may have been first.
      guard case .missing = file.status else { return }
      try file.requireNothing()
      if case .file(let size, _) = FileStatus(path: file.path + "-wal"), size > 0 {
        throw StorageError(
          .cannotCreate,
          "There is no store, but the log of one: '\(file.name)-wal'. Put the store back, or move the log away.",
          path: path)
      }
      try file.removeStaleTemporaries()
      let temporary = file.temporarySibling()
      do {
        try temporary.makePrivate()
        try build(temporary)
      } catch {
        temporary.removeWithCompanions()
        guard var error = error as? StorageError, error.path == temporary.path else { throw error }
        // The name that the caller knows.
        error.path = path
        throw error
      }
      try file.moveIntoPlace(temporary)
      if let identity = try file.identity() { try? lock.record(identity) }
    }
  }

  /// Writes a whole store and closes it. The last close leaves one file, synced.
  private func build(_ temporary: StoreFile) throws {
    let connection = try Connection(temporary.path)
    connection.deadline = deadline
    try Self.requireWritable(connection, path: temporary.path)
    // A journal would protect what nobody has seen yet.
    _ = try connection.text("PRAGMA journal_mode = MEMORY")
    try connection.execute(
      """
      PRAGMA application_id = \(StoreFormat.applicationID); PRAGMA user_version = \(StoreFormat.version);
      PRAGMA synchronous = full; BEGIN; \(StoreFormat.definition)
      """, doing: "making the store")
    try StoreMeta.write(identity: UUID.version7(), connection)
    try StoreMeta.write(keepsRows: location.history.keepsRows, connection)
    let upgrade = SchemaUpgrade(
      connection: connection, tables: tables, configuration: configuration, retention: location.history)
    try upgrade.addAll()
    try connection.commit()
    try Self.useLog(connection)
  }
}
#endif

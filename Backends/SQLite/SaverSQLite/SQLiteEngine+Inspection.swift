#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

extension SQLiteEngine {
  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    let (store, connection) = try readingConnection()
    defer { store.pool.give(connection) }
    try connection.beginReading()
    defer { connection.endReading() }

    var inspection = StoreInspection(
      formatVersion: Int(StoreFormat.version),
      files: StoreInspection.files(of: file, endings: ["-wal", "-shm", "-writer", "-notify"]))
    inspection.facts = try facts(connection)
    inspection.rows = try store.tables.all.map {
      ($0.type.name, try connection.integer("SELECT count(*) FROM \($0.name)"))
    }
    inspection.historyBytes = try connection.integer(Self.historyBytes)
    // Every connection to a log has a lock on the file, and one on the log's index while it reads.
    inspection.noteUsers(of: file, lockedFiles: [file.path, file.path + "-shm"])
    inspection.warnings = warnings()
    if checkingIntegrity {
      do {
        inspection.problems = try IntegrityCheck(connection: connection, store: store).problems()
      } catch let error as StorageError where error.code == .corrupt {
        inspection.problems = [error.description]
      }
    }
    return inspection
  }

  private func facts(_ connection: Connection) throws -> [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = [("synchronous", opening.configuration.synchronous.rawValue)]
    for (name, pragma) in [
      ("journal mode", "journal_mode"), ("page size", "page_size"), ("pages", "page_count"),
      ("free pages", "freelist_count"), ("encoding", "encoding"),
    ] {
      facts.append((name, try connection.text("PRAGMA \(pragma)")))
    }
    facts.append(("frames in the log", "\(try walFrames(connection))"))
    return facts
  }

  private static let historyBytes = """
    SELECT coalesce(max("bytes_before" + "bytes") - min("bytes_before"), 0) FROM "\(StoreFormat.transactionTable)"
    """

  /// From the log's size: a header of 32 bytes, then a page with 24 bytes before it for each frame. A log that began
  /// anew keeps its size.
  private func walFrames(_ connection: Connection) throws -> Int {
    guard case .file(let size, _) = FileStatus(path: file.path + "-wal"), size > 32 else { return 0 }
    return (Int(size) - 32) / (try connection.integer("PRAGMA page_size") + 24)
  }

  /// Ours checkpoint under the writer lock; nothing keeps another program from doing it beside a commit.
  private func warnings() -> [String] {
    guard sqlite3_libversion_number() < 3_051_003 else { return [] }
    return [
      "\(SQLiteBackend.library) can lose a commit when another program's checkpoint runs beside it (mended in 3.51.3)."
        + " This program's own checkpoints cannot; another program that writes this store should turn"
        + " wal_autocheckpoint off."
    ]
  }
}
#endif

#if SQLite
import CSQLite
import Glibc
import SaverCore

/// One connection to a store's file, with its prepared statements.
///
/// Isolation: used by one thread at a time, and handed from one to the next under a mutex: the library's own mutexes
/// are off (`SQLITE_OPEN_NOMUTEX`).
final class Connection: @unchecked Sendable {
  let pointer: OpaquePointer
  /// The file, as it was given: for messages.
  let path: String

  // MARK: Mutable state
  // All of it is owned by the thread that has the connection: whoever took it out of the pool, or who holds the writer
  // lock for the writer's.
  /// When waiting for the locks of other programs ends.
  var deadline = Deadline(milliseconds: 0)
  /// Whether what waits is given up altogether when the deadline passes, where SQLite would go on in another way.
  var isInterruptedWhenLate = false
  /// The frames in the write-ahead log after the last commit of this connection.
  var walFrames = 0
  /// Prepared statements. A process uses a dozen, which are found as fast without hashing a text; and making a
  /// dictionary's type is 4 % of `saver list`.
  private var statements: [Statement] = []
  private var clock = 0
  /// How many statements were ever prepared: what a write is expected not to do. For tests.
  private(set) var preparedCount = 0
  /// Statements that every row needs, by the index of the table: found without hashing a text.
  var tableStatements: [TableStatements]
  let lists = StringListCache()
  /// Whether this is prepared for writing: its cache and its syncs.
  var isWriter = false
  /// Whether statements can call ``RowFilter/function``.
  private var hasRowFilter = false
  /// Counts the connections of a watcher; 0 for others.
  var generation: UInt64 = 0
  var head: KeptHead?
  /// Made by the first look into the history.
  var historyForm: HistoryForm?
  /// Whether the triggers were as they were made, in the schema of this number.
  var checkedSchema: (version: Int, isComplete: Bool)?
  /// The last snapshot in which the record types were found to be the program's.
  var checkedTypes: (dataVersion: UInt32, schemaVersion: Int)?
  /// Whether SQLite has been told to; it is so from the first snapshot or write.
  var sortsInMemory = false
  /// The number of the schema in the snapshot of a transaction that only reads.
  var snapshotSchema: Int?

  /// How many statements are kept.
  static let statementsMax = 64

  /// What is done with the file.
  enum Mode {
    case writing, reading
    /// Read as it lies there, without locks and without a log: only while nobody writes it. Nothing is made beside it.
    case readingUnchanged
  }

  /// Opens the file.
  ///
  /// - Throws: ``StorageError``.
  init(_ path: String, _ mode: Mode = .writing, tables: Int = 0) throws {
    self.path = path
    // A name such as "file:x" is an address to SQLite; and ":memory:" no file.
    var name = path.hasPrefix("/") ? path : "./" + path
    var flags = SQLITE_OPEN_NOMUTEX
    switch mode {
    case .writing: flags |= SQLITE_OPEN_READWRITE
    case .reading: flags |= SQLITE_OPEN_READONLY
    case .readingUnchanged:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:\(SQLText.escaped(inAddress: name))?immutable=1"
    }
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(name, &opened, flags, nil)
    guard result == SQLITE_OK, let opened else {
      let error = StorageError(sqlite: result, opened, doing: "opening the store", path: path)
      sqlite3_close(opened)
      throw error
    }
    pointer = opened
    tableStatements = Array(repeating: TableStatements(), count: tables)
    sqlite3_extended_result_codes(pointer, 1)
    // What another program put into the schema may call no function with side effects, and SQL is taken strictly.
    _ = saver_sqlite3_db_config(pointer, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = saver_sqlite3_db_config(pointer, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = saver_sqlite3_db_config(pointer, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = saver_sqlite3_db_config(pointer, SQLITE_DBCONFIG_DQS_DDL, 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_busy_handler(pointer, { context, _ in Connection.wait(context) }, context)
    // A commit hook of the log: it counts the frames, and its presence turns automatic checkpoints off.
    sqlite3_wal_hook(
      pointer,
      { context, _, _, frames in
        Unmanaged<Connection>.fromOpaque(context!).takeUnretainedValue().walFrames = Int(frames)
        return SQLITE_OK
      }, context)
  }

  deinit {
    tableStatements = []
    statements = []
    sqlite3_close(pointer)
  }

  /// The file that SQLite works on: absolute, links resolved.
  var resolvedPath: String {
    guard let name = sqlite3_db_filename(pointer, "main"), name[0] != 0 else { return path }
    return String(cString: name)
  }

  var isReadOnly: Bool { sqlite3_db_readonly(pointer, "main") == 1 }
  var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

  /// Stands still as long as nobody commits, this connection included. In a transaction, that of its snapshot.
  var dataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(pointer, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }

  // MARK: Waiting

  /// Called when a lock is taken: waits a millisecond, until the deadline.
  ///
  /// The library's own handler sleeps up to 100 ms, and so lets a foreign writer pass again and again.
  private static func wait(_ context: UnsafeMutableRawPointer?) -> Int32 {
    let connection = Unmanaged<Connection>.fromOpaque(context!).takeUnretainedValue()
    if connection.deadline.hasPassed {
      if connection.isInterruptedWhenLate { sqlite3_interrupt(connection.pointer) }
      return 0
    }
    usleep(1000)
    return 1
  }

  // MARK: Statements

  /// A statement that nobody is using, prepared or kept from before.
  ///
  /// The caller resets it, whatever happens.
  func statement(_ sql: String, showing type: RecordType? = nil) throws -> Statement {
    clock += 1
    let size = sql.utf8.count
    if let statement = statements.first(where: { $0.sql.utf8.count == size && $0.sql == sql }) {
      if !statement.isInUse {
        statement.isInUse = true
        statement.lastUse = clock
        return statement
      }
      // A scan within a scan of the same text: a second statement, not kept.
      let other = try prepare(sql, type)
      other.isInUse = true
      return other
    }
    let statement = try prepare(sql, type)
    statement.isInUse = true
    statement.lastUse = clock
    if statements.count >= Self.statementsMax { forgetOldest() }
    statements.append(statement)
    return statement
  }

  /// Prepares a statement that the caller keeps.
  func prepare(_ sql: String, _ type: RecordType? = nil) throws -> Statement {
    var prepared: OpaquePointer?
    let result = sqlite3_prepare_v3(pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard result == SQLITE_OK, let prepared else { throw failure(result, doing: "preparing a statement") }
    preparedCount += 1
    let statement = Statement(prepared, sql: sql)
    if let type { statement.show(type) }
    return statement
  }

  /// Lets statements call ``RowFilter/function``: made when first wanted, since most processes never do.
  func defineRowFilter() throws {
    if hasRowFilter { return }
    let result = RowFilter.define(pointer)
    guard result == SQLITE_OK else { throw failure(result, doing: "defining a function") }
    hasRowFilter = true
  }

  private func forgetOldest() {
    let idle = statements.indices.filter { !statements[$0].isInUse }
    guard let oldest = idle.min(by: { statements[$0].lastUse < statements[$1].lastUse }) else { return }
    statements.remove(at: oldest)
  }

  /// Runs one statement of no rows, kept for the next time.
  func run(_ sql: String, doing: String) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    let result = sqlite3_step(statement.pointer)
    guard result == SQLITE_DONE || result == SQLITE_ROW else { throw failure(result, doing: doing) }
  }

  /// Runs statements that are not worth keeping.
  func execute(_ sql: String, doing: String) throws {
    let result = sqlite3_exec(pointer, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw failure(result, doing: doing) }
  }

  /// Calls `body` for each row of a statement with these constants.
  func rows(
    _ sql: String, _ values: [StoredValue] = [], doing: String, _ body: (Statement) throws -> Void
  ) throws {
    let statement = try statement(sql)
    defer { statement.reset() }
    for (index, value) in values.enumerated() {
      let result = statement.bind(value, Int32(index + 1))
      guard result == SQLITE_OK else { throw failure(result, doing: doing) }
    }
    while true {
      switch sqlite3_step(statement.pointer) {
      case SQLITE_ROW: try body(statement)
      case SQLITE_DONE: return
      case let result: throw failure(result, doing: doing)
      }
    }
  }

  /// The integer that a pragma or a query of one value gives.
  func integer(_ sql: String, doing: String = "reading the store") throws -> Int {
    var value = 0
    try rows(sql, doing: doing) { value = $0.integer(0) }
    return value
  }

  func text(_ sql: String, doing: String = "reading the store") throws -> String {
    var value = ""
    try rows(sql, doing: doing) { value = $0.text(0) }
    return value
  }

  func failure(_ result: Int32, doing: String, fileID: String = #fileID, line: Int = #line) -> StorageError {
    StorageError(sqlite: result, pointer, doing: doing, path: path, fileID: fileID, line: line)
  }
}

/// The statements of one table that every row needs, prepared when first wanted.
struct TableStatements {
  var insert: Statement?
  var update: Statement?
  var updateBesideIndexes: Statement?
  var delete: Statement?
  var row: Statement?
}
#endif

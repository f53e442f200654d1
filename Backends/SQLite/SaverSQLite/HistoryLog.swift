#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// The end of the history, as a transaction that writes goes on from it.
///
/// The triggers log the changes; this adds the entries that say whose they are. Nothing is written by a transaction
/// that has logged nothing: what other programs have written then stays without an entry until somebody has.
///
/// Isolation: used within one write transaction of its connection.
struct HistoryLog {
  let connection: Connection
  /// The last sequence that is not this transaction's: of a foreign change, or of the entry of something unknown.
  private var foreign: Int64
  /// The last sequence of the newest transaction.
  private var covered: Int64
  /// The bytes of all old rows that were ever kept, up to the newest transaction.
  private var bytes: Int
  private var hasUnknown = false

  init(_ connection: Connection) throws {
    self.connection = connection
    var (last, covered, bytes) = (Int64(0), Int64(0), 0)
    try connection.rows(Self.end, doing: "reading the history") { row in
      last = row.counted(0)
      covered = row.counted(1)
      bytes = Int(row.counted(2))
    }
    self.covered = covered
    self.bytes = bytes
    foreign = max(last, covered)
    // The newest transaction is never trimmed: another program has deleted its entries, and the numbers began anew. Or
    // it has written a number behind which none is left.
    if last < covered || foreign >= StoreFormat.sequenceLimit { try clear() }
  }

  private static let newest = "FROM \"\(StoreFormat.transactionTable)\" ORDER BY \"last\" DESC LIMIT 1"
  private static let last = "SELECT max(\"sequence\") FROM \"\(StoreFormat.historyTable)\""
  private static let end = """
    SELECT (\(last)), (SELECT "last" \(newest)), (SELECT "bytes_before" + "bytes" \(newest))
    """

  // MARK: What the history does not tell

  /// Writes an entry that says that anything may have changed before it.
  mutating func addUnknown() throws {
    foreign = try end() + 1
    hasUnknown = true
    try addUnknown(at: foreign)
  }

  /// Writes such an entry as this transaction's own, behind both this history and a sequence that another one has
  /// reached.
  ///
  /// - Returns: its sequence.
  mutating func addBranch(behind sequence: Int64) throws -> Int64 {
    let first = max(try end(), sequence) + 1
    try addUnknown(at: first)
    return first
  }

  private func addUnknown(at sequence: Int64) throws {
    // No column holds an old row, so the shape is free for what tells this entry from that of a copy of the store.
    try connection.rows(
      """
      INSERT INTO "\(StoreFormat.historyTable)" ("sequence", "type", "id", "kind", "shape")
      VALUES (?1, '', zeroblob(16), 'unknown', ?2)
      """, [.int(Int(sequence)), .int(.random(in: .min ... .max))], doing: "writing the history"
    ) { _ in }
  }

  /// Forgets a history that is torn. What is written from here on has higher numbers than all that ever was.
  mutating func clear() throws {
    let reached = try Self.reached(connection)
    try connection.run("DELETE FROM \"\(StoreFormat.historyTable)\"", doing: "writing the history")
    try connection.run("DELETE FROM \"\(StoreFormat.transactionTable)\"", doing: "writing the history")
    covered = reached
    try addUnknown()
  }

  /// The greatest number that a store's history ever had, as far as can be seen: without what another program wrote that
  /// none can have counted to.
  static func reached(_ connection: Connection) throws -> Int64 {
    Int64(try connection.integer(reached, doing: "reading the history"))
  }

  private static let reached = """
    SELECT coalesce(max("number"), 0) FROM (
      SELECT "sequence" AS "number" FROM "\(StoreFormat.historyTable)"
      UNION ALL SELECT "last" FROM "\(StoreFormat.transactionTable)"
      UNION ALL SELECT "value" FROM "\(StoreFormat.metaTable)" WHERE "key" = '\(StoreFormat.branchKey)'
    ) WHERE "number" < \(StoreFormat.sequenceLimit)
    """

  /// The last sequence at this point of the transaction.
  private func end() throws -> Int64 {
    max(Int64(try connection.integer(Self.last)), covered)
  }

  /// The last sequence of a store's history, of which this has been made: nothing in it is beyond all counting.
  static func end(_ connection: Connection) throws -> Int64 {
    Int64(
      try connection.integer(
        "SELECT max(coalesce((\(last)), 0), coalesce((SELECT \"last\" \(newest)), 0))", doing: "reading the history"))
  }

  /// Notes that so many bytes of old rows that were kept are not any more.
  mutating func deduct(_ size: Int) { bytes -= size }

  // MARK: Closing

  /// Writes the entries for what has no transaction yet.
  ///
  /// - Parameters:
  ///   - operation: what the changes of this transaction are a part of.
  ///   - hasOldRows: whether it may have updated or deleted rows.
  /// - Returns: whether there was anything.
  mutating func finish(_ operation: WriteOperation, hasOldRows: Bool, _ retention: HistoryRetention) throws -> Bool {
    let last = try end()
    guard last > foreign || hasUnknown else { return false }
    let before = covered
    if foreign > covered { try add(through: foreign, nil, measuring: true) }
    if last > covered { try add(through: last, operation, measuring: hasOldRows) }
    if HistoryRetention.isTimeToTrim(from: before, to: last) {
      let trimming = HistoryTrimming(connection: connection, last: last, bytes: bytes)
      try trimming.run(retention, adding: Int(last - before), keeping: operation.id)
    }
    return true
  }

  /// Writes the entry for the changes behind the last one that is covered; foreign without an operation.
  private mutating func add(through last: Int64, _ operation: WriteOperation?, measuring: Bool) throws {
    let size = measuring ? try Self.size(of: covered + 1...last, connection) : 0
    let isForeign = operation == nil
    let statement = try connection.statement(Self.insert)
    defer { statement.reset() }
    var author: StoredValue = .null
    if !isForeign, case .process(let process) = HistoryTransaction.Author.current { author = .uuid(process) }
    let values: [StoredValue] = [
      .int(Int(last)), .int(Int(covered + 1)), author, isForeign ? .null : .int(Int(ProcessUser.identifier)),
      operation.map { .uuid($0.id) } ?? .null, operation.map { .text($0.name) } ?? .null,
      operation?.undoes.map { .uuid($0) } ?? .null, .date(Date()),
      .int(isForeign ? 0 : Int(bitPattern: .random(in: 1...UInt.max))), .int(size), .int(bytes),
    ]
    for (index, value) in values.enumerated() {
      let result = statement.bind(value, Int32(index + 1))
      guard result == SQLITE_OK else { throw connection.failure(result, doing: "writing the history") }
    }
    let result = sqlite3_step(statement.pointer)
    guard result == SQLITE_DONE else { throw connection.failure(result, doing: "writing the history") }
    covered = last
    bytes += size
  }

  private static let insert = """
    INSERT OR REPLACE INTO "\(StoreFormat.transactionTable)" ("last", "first", "author", "user", "operation", "name",
      "undoes", "time", "nonce", "bytes", "bytes_before")
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    """

  /// The bytes of the old rows in these entries: of their ids, texts, blobs and lists.
  static func size(of sequences: ClosedRange<Int64>, _ connection: Connection) throws -> Int {
    var size = 0
    try connection.rows(
      """
      SELECT * FROM "\(StoreFormat.historyTable)" WHERE "sequence" BETWEEN ?1 AND ?2 AND "shape" IS NOT NULL
      """, [.int(Int(sequences.lowerBound)), .int(Int(sequences.upperBound))], doing: "reading the history"
    ) { row in
      // Behind the columns that every entry has.
      size += 16
      for column in 5..<max(5, sqlite3_column_count(row.pointer)) {
        let type = sqlite3_column_type(row.pointer, column)
        if type == SQLITE_TEXT || type == SQLITE_BLOB { size += Int(sqlite3_column_bytes(row.pointer, column)) }
      }
    }
    return size
  }
}
#endif

#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

extension SQLiteTransaction {
  /// Removes a row and the old rows of its id in the history, and notes that it is gone; returns whether there was any
  /// such thing. The bytes are another matter: see ``SQLiteEngine/rewrite(until:)``.
  ///
  /// - Parameter foreign: the last sequence that is not this transaction's.
  /// - Complexity: reads the whole history.
  func forget(_ type: RecordType, _ id: UUID, behind foreign: Int64) throws -> Bool {
    let isThere = try delete(type, id)
    let old = try mentions(of: type, id)
    guard isThere || !old.isEmpty else { return false }
    if !isThere {
      try connection.rows(
        "INSERT INTO \"\(StoreFormat.historyTable)\" (\"type\", \"id\", \"kind\") VALUES (?1, ?2, 'delete')",
        [.text(type.name), .uuid(id)], doing: "forgetting"
      ) { _ in }
    }
    for sequence in old { try empty(sequence, isOwn: sequence > foreign) }
    return true
  }

  /// The sequences of the entries of an id.
  private func mentions(of type: RecordType, _ id: UUID) throws -> [Int64] {
    var sequences: [Int64] = []
    try connection.rows(
      "SELECT \"sequence\" FROM \"\(StoreFormat.historyTable)\" WHERE \"id\" = ?1 AND \"type\" = ?2",
      [.uuid(id), .text(type.name)], doing: "forgetting"
    ) { sequences.append(Int64($0.integer(0))) }
    return sequences
  }

  /// Takes the old row out of an entry. The check value of the entry stays what it was.
  private func empty(_ sequence: Int64, isOwn: Bool) throws {
    let size = try HistoryLog.size(of: sequence...sequence, connection)
    var shape = StoredValue.null
    if !isOwn, try !hasNonce(at: sequence), let check = try historyCheck(at: sequence) {
      shape = HistoryDigest.value(check)
    }
    try connection.rows(try emptying(), [.int(Int(sequence)), shape], doing: "forgetting") { _ in }
    if size == 0 || isOwn { return }
    let table = SQLText.quoted(StoreFormat.transactionTable)
    var covering: Int64?
    try connection.rows(
      "SELECT \"last\" FROM \(table) WHERE \"last\" >= ?1 AND \"first\" <= ?1 ORDER BY \"last\" LIMIT 1",
      [.int(Int(sequence))], doing: "forgetting"
    ) { covering = Int64($0.integer(0)) }
    guard let covering else { return }
    try connection.rows(
      "UPDATE \(table) SET \"bytes\" = \"bytes\" - ?2 WHERE \"last\" = ?1", [.int(Int(covering)), .int(size)],
      doing: "forgetting"
    ) { _ in }
    try connection.rows(
      "UPDATE \(table) SET \"bytes_before\" = \"bytes_before\" - ?2 WHERE \"last\" > ?1",
      [.int(Int(covering)), .int(size)], doing: "forgetting"
    ) { _ in }
    forgottenBytes += size
  }

  /// Whether the check value at a sequence is that of a transaction of ours, and no digest.
  private func hasNonce(at sequence: Int64) throws -> Bool {
    var hasNonce = false
    try connection.rows(
      """
      SELECT "nonce" FROM "\(StoreFormat.transactionTable)" WHERE "last" >= ?1 AND "first" <= ?1 ORDER BY "last" LIMIT 1
      """, [.int(Int(sequence))], doing: "forgetting"
    ) { hasNonce = $0.integer(0) != 0 }
    return hasNonce
  }

  /// The statement that empties an entry: all columns of old rows, also of types that this program does not know.
  private func emptying() throws -> String {
    var assignments = ["\"shape\" = ?2"]
    try connection.rows(
      "SELECT name FROM pragma_table_info('\(StoreFormat.historyTable)') WHERE name LIKE 'old!_%' ESCAPE '!'",
      doing: "forgetting"
    ) { assignments.append("\(SQLText.quoted($0.text(0))) = NULL") }
    return """
      UPDATE "\(StoreFormat.historyTable)" SET \(assignments.joined(separator: ", ")) WHERE "sequence" = ?1
      """
  }
}
#endif

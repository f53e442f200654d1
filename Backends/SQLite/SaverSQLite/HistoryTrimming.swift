#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// Forgets the oldest part of a history that has grown beyond its limits.
struct HistoryTrimming {
  let connection: Connection
  /// The last sequence, of the newest transaction.
  let last: Int64
  /// The bytes of all old rows that were ever kept.
  let bytes: Int

  /// Whole transactions, the oldest first; never the newest, nor those of the operation that is under way.
  func run(_ retention: HistoryRetention, adding count: Int, keeping operation: UUID) throws {
    guard let end = try self.end(retention, HistoryRetention.trimMax(adding: count), operation) else { return }
    try connection.rows(
      "DELETE FROM \"\(StoreFormat.historyTable)\" WHERE \"sequence\" <= ?1", [.int(Int(end))],
      doing: "trimming the history"
    ) { _ in }
    try connection.rows(
      "DELETE FROM \"\(StoreFormat.transactionTable)\" WHERE \"last\" <= ?1", [.int(Int(end))],
      doing: "trimming the history"
    ) { _ in }
  }

  /// The last sequence of what is to go; `nil` if nothing is.
  private func end(_ retention: HistoryRetention, _ trimMax: Int, _ operation: UUID) throws -> Int64? {
    let statement = try connection.statement(
      """
      SELECT "last", "first", "bytes_before", "operation" FROM "\(StoreFormat.transactionTable)" ORDER BY "last"
      """)
    defer { statement.reset() }
    let operation = withUnsafeBytes(of: operation.uuid) { Array($0) }
    var end: Int64?
    var trimmed = 0
    while trimmed < trimMax {
      let result = sqlite3_step(statement.pointer)
      if result == SQLITE_DONE { break }
      guard result == SQLITE_ROW else { throw connection.failure(result, doing: "trimming the history") }
      let (last, first) = (statement.counted(0), statement.counted(1))
      let isTooLong = self.last - first >= Int64(retention.changesMax)
      let isTooLarge = bytes - Int(statement.counted(2)) > retention.bytesMax
      if last >= self.last || statement.bytes(3) == operation || !(isTooLong || isTooLarge) { break }
      trimmed += Int(last - first) + 1
      end = last
    }
    return end
  }
}
#endif

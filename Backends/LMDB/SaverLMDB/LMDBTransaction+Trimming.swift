#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

extension LMDBTransaction {
  /// Removes whole transactions from the history, the oldest first, until it is within its limits or enough was done.
  ///
  /// How large it is costs two entries to know: each says how large everything up to it was.
  ///
  /// - Parameters:
  ///   - newest: stays, whatever the limits are.
  ///   - operation: the act that is under way; neither its transactions nor later ones go.
  func trimHistory(
    _ retention: HistoryRetention, _ newest: TransactionMark, adding count: Int, keeping operation: UUID?
  ) throws {
    let entries = try openCursor(tables.transactions, in: transaction, path: path)
    defer { mdb_cursor_close(entries) }
    let changes = try openCursor(tables.history, in: transaction, path: path)
    defer { mdb_cursor_close(changes) }
    var left = try self.entries(of: tables.history)
    var trimmed = 0
    var (key, value) = (MDB_val(), MDB_val())
    while trimmed < HistoryRetention.trimMax(adding: count) {
      let result = mdb_cursor_get(entries, &key, &value, MDB_FIRST)
      if result == MDB_NOTFOUND { return }
      try check(result, "trimming the history")
      guard let oldest = TransactionEntry(key: key, value: value), oldest.mark.number < newest.number,
        operation == nil || oldest.operation?.id != operation,
        left > retention.changesMax
          || newest.bytesInAll - oldest.mark.bytesInAll + oldest.mark.bytes > Int64(clamping: retention.bytesMax)
      else { return }
      let removed = try removeChanges(upTo: oldest.mark.sequences.upperBound, changes)
      (left, trimmed) = (left - removed, trimmed + removed)
      try check(mdb_cursor_del(entries, 0), "trimming the history")
    }
  }

  private func removeChanges(upTo last: Int64, _ cursor: OpaquePointer) throws -> Int {
    var count = 0
    var (key, value) = (MDB_val(), MDB_val())
    while true {
      let result = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
      if result == MDB_NOTFOUND { return count }
      try check(result, "trimming the history")
      guard let sequence = HistoryFormat.sequence(key), sequence <= last else { return count }
      try check(mdb_cursor_del(cursor, 0), "trimming the history")
      count += 1
    }
  }
}
#endif

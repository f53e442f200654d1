#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// Both ends of the history and the store's identity in one snapshot, read by one statement: a check of the observer is
/// made of little else.
struct HistoryEnds {
  let identity: UUID
  /// The last change; 0 if there is none.
  let last: Int64
  /// The first change that is still there; 0 if there is none.
  let oldest: Int64
  /// The last change of the newest transaction; 0 if there is none.
  let covered: Int64
  /// Of the newest transaction; 0 if it is foreign.
  let nonce: UInt64

  /// - Throws: ``StorageError`` with `corrupt` if the store does not say what it is.
  init(_ connection: Connection) throws {
    var found: (UUID?, Int64, Int64, Int64, Int64) = (nil, 0, 0, 0, 0)
    do {
      try connection.rows(Self.select, doing: "reading the history") { row in
        row.fillSlots()
        let slots = row.slots
        found = (
          try? RowView(slots: slots, count: row.columns)[0], slots[1].integer, slots[2].integer, slots[3].integer,
          slots[4].integer
        )
      }
    } catch let error as StorageError where error.cause?.code == SQLITE_ERROR {
      // A table is gone. Which one is said by whoever reads them one by one.
      _ = try StoreMeta.identity(connection)
      throw error
    }
    identity = try found.0 ?? StoreMeta.identity(connection)
    (last, oldest, covered) = (found.1, found.2, found.3)
    nonce = UInt64(bitPattern: found.4)
  }

  private static let newest = "FROM \"\(StoreFormat.transactionTable)\" ORDER BY \"last\" DESC LIMIT 1"
  private static let select = """
    SELECT (SELECT "value" FROM "\(StoreFormat.metaTable)" WHERE "key" = '\(StoreFormat.identityKey)'),
      (SELECT max("sequence") FROM "\(StoreFormat.historyTable)"),
      (SELECT min("sequence") FROM "\(StoreFormat.historyTable)"),
      (SELECT "last" \(newest)), (SELECT "nonce" \(newest))
    """
}
#endif

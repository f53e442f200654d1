#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// Both ends of the history and the store's identity in one snapshot, with what tells whether an earlier token goes on from
/// there. Read by one statement: a check of the observer is made of little else.
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
  /// Where the history began a new branch; 0 if it never did.
  let branch: Int
  /// The nonce of the transaction that holds the earlier sequence; 0 if it is foreign, or there is none.
  let earlierNonce: UInt64

  /// - Parameter earlier: the sequence of an earlier token.
  /// - Throws: ``StorageError`` with `corrupt` if the store does not say what it is.
  init(_ connection: Connection, earlier: Int64) throws {
    var identity: UUID?
    var numbers: [Int64] = []
    do {
      try connection.rows(Self.select, [.int(Int(earlier))], doing: "reading the history") { row in
        row.fillSlots()
        identity = try? RowView(slots: row.slots, count: row.columns)[0]
        numbers = (1..<Int32(row.columns)).map { Int64(row.integer($0)) }
      }
    } catch let error as StorageError where error.cause?.code == SQLITE_ERROR {
      // A table is gone. Which one is said by whoever reads them one by one.
      _ = try StoreMeta.identity(connection)
      throw error
    }
    self.identity = try identity ?? StoreMeta.identity(connection)
    (last, oldest, covered) = (numbers[0], numbers[1], numbers[2])
    (nonce, branch) = (UInt64(bitPattern: numbers[3]), Int(numbers[4]))
    earlierNonce = numbers[5] <= earlier ? UInt64(bitPattern: numbers[6]) : 0
  }

  private static let covering =
    "FROM \"\(StoreFormat.transactionTable)\" WHERE \"last\" >= ?1 ORDER BY \"last\" LIMIT 1"
  private static let newest = "FROM \"\(StoreFormat.transactionTable)\" ORDER BY \"last\" DESC LIMIT 1"
  private static let select = """
    SELECT (SELECT "value" FROM "\(StoreFormat.metaTable)" WHERE "key" = '\(StoreFormat.identityKey)'),
      (SELECT max("sequence") FROM "\(StoreFormat.historyTable)"),
      (SELECT min("sequence") FROM "\(StoreFormat.historyTable)"),
      (SELECT "last" \(newest)), (SELECT "nonce" \(newest)),
      (SELECT "value" FROM "\(StoreFormat.metaTable)" WHERE "key" = '\(StoreFormat.branchKey)'),
      (SELECT "first" \(covering)), (SELECT "nonce" \(covering))
    """
}

/// What was read of the history's ends last, and in which snapshot: nobody reads them twice.
struct KeptHead {
  /// The connection's number of the snapshot.
  let version: UInt32
  let head: HistoryHead
  let branch: Int
  let earlier: Int64
  let earlierNonce: UInt64
}
#endif

#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// Where the history ends in one snapshot: a check of the observer is made of little else.
struct HistoryEnds {
  /// The last change; 0 if there is none.
  private(set) var last: Int64 = 0
  /// The last change of the newest transaction; 0 if there is none.
  private(set) var covered: Int64 = 0
  /// Of the newest transaction; 0 if it is foreign.
  private(set) var nonce: UInt64 = 0

  init(_ connection: Connection) throws {
    try connection.rows(Self.select, doing: "reading the history") { row in
      (last, covered, nonce) = (Int64(row.integer(0)), Int64(row.integer(1)), UInt64(bitPattern: Int64(row.integer(2))))
    }
  }

  /// Reads on from an end that was read before: what that needs lies side by side, and most of it will be read again.
  ///
  /// `nil` if the history is not the one that ended there, so far as its check value can tell, does not go back so far, or
  /// has gone on for more than a few transactions.
  init?(_ connection: Connection, after token: HistoryToken) throws {
    var count = 0
    var isSame = false
    try connection.rows(Self.selectAfter, [.int(Int(token.sequence))], doing: "reading the history") { row in
      (covered, nonce) = (Int64(row.integer(1)), UInt64(bitPattern: Int64(row.integer(2))))
      if count == 0 {
        last = Int64(row.integer(3))
        isSame = row.integer(0) <= token.sequence && nonce == token.check && nonce != 0 && row.integer(4) != 0
      }
      count += 1
    }
    if !isSame || count > Self.transactionsMax { return nil }
  }

  private static let transactionsMax = 32
  private static let newest = "FROM \"\(StoreFormat.transactionTable)\" ORDER BY \"last\" DESC LIMIT 1"
  private static let lastChange = "(SELECT max(\"sequence\") FROM \"\(StoreFormat.historyTable)\")"
  private static let select = "SELECT \(lastChange), (SELECT \"last\" \(newest)), (SELECT \"nonce\" \(newest))"
  private static let selectAfter = """
    SELECT "first", "last", "nonce", \(lastChange),
      EXISTS (SELECT 1 FROM "\(StoreFormat.historyTable)" WHERE "sequence" = ?1)
    FROM "\(StoreFormat.transactionTable)" WHERE "last" >= ?1 ORDER BY "last" LIMIT \(transactionsMax + 1)
    """
}

/// The end of the history as a connection has read it last.
struct KeptHead {
  /// The snapshot that it was read in.
  let version: UInt32
  let schema: Int
  let head: HistoryHead
  let branch: Int64
}
#endif

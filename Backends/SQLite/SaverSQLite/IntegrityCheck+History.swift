#if SQLite
import SaverCore

extension IntegrityCheck {
  /// What does not fit in the history: entries that say nothing, transactions that do not follow upon each other.
  func historyProblems() throws -> [String] {
    var problems: [String] = []
    let history = SQLText.quoted(StoreFormat.historyTable)
    let transactions = SQLText.quoted(StoreFormat.transactionTable)
    let odd = try connection.integer(
      """
      SELECT count(*) FROM \(history) WHERE typeof("type") <> 'text' OR typeof("id") <> 'blob' OR length("id") <> 16
        OR "kind" NOT IN ('insert', 'update', 'delete', 'unknown') OR "kind" IS NULL
        OR "sequence" NOT BETWEEN 1 AND \(StoreFormat.sequenceLimit - 1)
      """)
    if odd > 0 { problems.append("\(odd) changes in the history say nothing that could be understood.") }

    var next: Int64?
    var broken = 0
    try connection.rows(
      "SELECT \"first\", \"last\" FROM \(transactions) ORDER BY \"last\"", doing: "checking the store"
    ) {
      row in
      let (first, last) = (Int64(row.integer(0)), Int64(row.integer(1)))
      if first > last || next.map({ $0 != first }) ?? false { broken += 1 }
      next = last &+ 1
    }
    if broken > 0 { problems.append("\(broken) transactions in the history do not follow upon the one before.") }

    let empty = try connection.integer(
      """
      SELECT count(*) FROM \(transactions) WHERE "last" NOT IN (SELECT "sequence" FROM \(history))
      """)
    if empty > 0 { problems.append("\(empty) transactions in the history have lost their changes.") }
    let older = try connection.integer(
      """
      SELECT count(*) FROM \(history) WHERE "sequence" < (SELECT min("first") FROM \(transactions))
      """)
    if older > 0 { problems.append("\(older) changes in the history are older than its first transaction.") }
    return problems
  }
}
#endif

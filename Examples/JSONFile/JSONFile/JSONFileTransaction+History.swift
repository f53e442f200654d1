import FoundationEssentials
import SaverCore

/// The history of the snapshot; arrays, looked through from their ends.
extension JSONFileTransaction {
  func historyHead() -> HistoryHead {
    let last = history.transactions.last
    let token = HistoryToken(store: identity, sequence: last?.last ?? 0, check: last?.nonce ?? 0)
    return HistoryHead(token: token, revision: revision)
  }

  func historyCheck(at sequence: Int64) -> UInt64? {
    history.transactions.last { $0.first <= sequence && sequence <= $0.last }?.nonce
  }

  func historyOldest() -> Int64 { history.transactions.first?.first ?? 1 }

  func historyBranch() -> Int64 { snapshot.document.branch ?? 0 }

  func changes(after sequence: Int64, _ body: (HistoryChange, borrowing RowView) throws -> Bool) throws {
    let first = history.entries.lastIndex { $0.sequence <= sequence }.map { $0 + 1 } ?? 0
    for entry in history.entries[first...] {
      let goesOn =
        // A row of a type that the program does not know could not be told from one of another schema.
        if let row = entry.row, knownTypes.contains(entry.type) {
          try row.stored.withView { try body(entry.change, $0) }
        } else {
          try body(entry.change, RowView.empty)
        }
      if !goesOn { return }
    }
  }

  func transactions(
    after sequence: Int64, newestFirst: Bool, _ body: (HistoryTransaction) throws -> Bool
  ) throws {
    let first = history.transactions.lastIndex { $0.last <= sequence }.map { $0 + 1 } ?? 0
    let transactions = history.transactions[first...]
    if newestFirst {
      for transaction in transactions.reversed() where try !body(transaction.transaction) { return }
    } else {
      for transaction in transactions where try !body(transaction.transaction) { return }
    }
  }
}

import FoundationEssentials
import SaverCore

extension MemoryTransaction {
  func historyHead() -> HistoryHead {
    let last = history.transactions.last
    let token = HistoryToken(store: identity, sequence: history.lastSequence, check: last?.nonce ?? 0)
    return HistoryHead(token: token, revision: UInt64(history.lastSequence))
  }

  func historyOldest() -> Int64 { history.transactions.first?.sequences.lowerBound ?? history.lastSequence + 1 }

  func historyCheck(at sequence: Int64) -> UInt64? {
    let index = history.transactionIndex(endingAtOrAfter: sequence)
    guard index < history.transactions.count, history.transactions[index].sequences.contains(sequence) else {
      return nil
    }
    return history.transactions[index].nonce
  }

  /// Nothing is ever restored.
  func historyBranch() -> Int64 { 0 }

  func changes(after sequence: Int64, _ body: (HistoryChange, borrowing RowView) throws -> Bool) throws {
    for entry in history.entries[history.firstIndex(after: sequence)...] {
      let goesOn =
        if let row = entry.row {
          try row.withView { try body(entry.change, $0) }
        } else {
          try body(entry.change, RowView.empty)
        }
      if !goesOn { return }
    }
  }

  func transactions(
    after sequence: Int64, newestFirst: Bool, _ body: (HistoryTransaction) throws -> Bool
  ) throws {
    let transactions = history.transactions[history.transactionIndex(endingAtOrAfter: sequence + 1)...]
    if newestFirst {
      for transaction in transactions.reversed() where try !body(transaction) { return }
    } else {
      for transaction in transactions where try !body(transaction) { return }
    }
  }
}

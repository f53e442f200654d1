import SaverCore

/// What must hold of the history of a store that nobody but this program has written to.
enum HistoryCheck {
  /// What is wrong; empty if nothing is.
  ///
  /// The transactions follow each other without a gap, every change belongs to one, and the head is the last of them.
  static func problems(_ transaction: borrowing ReadTransaction) throws -> String {
    let head = try transaction.token()
    let transactions = try transaction.transactions()
    guard case .changes(let changes, let through) = try transaction.history(after: nil) else { return "no history" }
    guard through == head else { return "it ends at \(through), the head is \(head)" }
    guard (transactions.last?.sequences.upperBound ?? 0) == head.sequence else {
      return "the last transaction ends at \(transactions.last?.sequences.upperBound ?? 0), the head is \(head)"
    }
    guard (changes.last?.sequence ?? 0) == head.sequence else {
      return "the last change is \(changes.last?.sequence ?? 0), the head is \(head)"
    }
    for (one, next) in zip(transactions, transactions.dropFirst())
    where one.sequences.upperBound + 1 != next.sequences.lowerBound {
      return "a gap between the transactions \(one.sequences) and \(next.sequences)"
    }
    for (one, next) in zip(changes, changes.dropFirst()) where one.sequence + 1 != next.sequence {
      return "a gap between the changes \(one.sequence) and \(next.sequence)"
    }
    guard changes.first?.sequence == transactions.first?.sequences.lowerBound else {
      return "the oldest change is \(changes.first?.sequence ?? 0), not that of the oldest transaction"
    }
    return ""
  }
}

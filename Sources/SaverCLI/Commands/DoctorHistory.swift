import SaverCore
import SaverKit

/// How far the history of a store reaches.
struct DoctorHistory {
  let head: HistoryHead
  private(set) var changes = 0
  private(set) var transactions = 0

  init(_ transaction: borrowing ReadTransaction) throws {
    head = try transaction.engine.historyHead()
    try transaction.engine.changes(after: 0) { _, _ in
      changes += 1
      return true
    }
    try transaction.engine.transactions(after: 0, newestFirst: false) { _ in
      transactions += 1
      return true
    }
  }
}

import FoundationEssentials
import SaverCore
import SaverKit

/// How far the history of a store reaches.
struct DoctorHistory {
  let head: HistoryHead
  let oldest: Int64
  private(set) var changes = 0
  private(set) var transactions = 0
  /// When the oldest and the newest transaction were committed, by their writers' clocks.
  private(set) var times: (oldest: Date, newest: Date)?

  init(_ transaction: borrowing ReadTransaction) throws {
    head = try transaction.engine.historyHead()
    oldest = try transaction.engine.historyOldest()
    try transaction.engine.changes(after: 0) { _, _ in
      changes += 1
      return true
    }
    try transaction.engine.transactions(after: 0, newestFirst: false) { transaction in
      transactions += 1
      times = (times?.oldest ?? transaction.time, transaction.time)
      return true
    }
  }
}

import Foundation

@testable import SaverCore

/// A transaction that cannot read any more after some rows.
final class FailingTransaction: EngineReadTransaction {
  private let base: any EngineReadTransaction
  // MARK: Mutable state
  // Owned by the thread of the transaction.
  private var rowsLeft: Int

  init(_ base: any EngineReadTransaction, after rows: Int) {
    self.base = base
    rowsLeft = rows
  }

  private func read() throws {
    guard rowsLeft > 0 else { throw StorageError(.busy, "no more rows") }
    rowsLeft -= 1
  }

  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws {
    try base.scan(selection) { row in
      try read()
      return try body(row)
    }
  }

  func row(_ type: RecordType, _ id: UUID, _ body: (borrowing RowView) throws -> Void) throws -> Bool {
    try read()
    return try base.row(type, id, body)
  }

  func count(_ selection: Selection) throws -> Int {
    try read()
    return try base.count(selection)
  }

  func explain(_ selection: Selection) throws -> QueryPlan { try base.explain(selection) }
  func historyHead() throws -> HistoryHead { try base.historyHead() }
  func historyCheck(at sequence: Int64) throws -> UInt64? { try base.historyCheck(at: sequence) }
  func historyOldest() throws -> Int64 { try base.historyOldest() }

  func historyBranch() throws -> Int64 { try base.historyBranch() }
  func changes(after sequence: Int64, _ body: (HistoryChange, borrowing RowView) throws -> Bool) throws {
    try base.changes(after: sequence, body)
  }
  func transactions(
    after sequence: Int64, newestFirst: Bool, _ body: (HistoryTransaction) throws -> Bool
  ) throws {
    try base.transactions(after: sequence, newestFirst: newestFirst, body)
  }
  var rowsRead: Int { base.rowsRead }
}

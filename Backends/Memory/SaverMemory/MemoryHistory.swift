import FoundationEssentials
import SaverCore

/// The change history: arrays, in order.
struct MemoryHistory {
  struct Entry {
    let change: HistoryChange
    /// The row before an update or a delete.
    fileprivate(set) var row: StoredRow?
  }

  /// What changes are about.
  struct Subject: Hashable {
    let type: String
    let id: UUID
  }

  private(set) var entries: [Entry] = []
  private(set) var transactions: [HistoryTransaction] = []
  private var bytes = 0

  var lastSequence: Int64 { transactions.last?.sequences.upperBound ?? 0 }

  /// Adds what a transaction has changed, and forgets what is beyond the limits.
  mutating func append(_ new: [Entry], _ operation: WriteOperation, _ retention: HistoryRetention) {
    guard let first = new.first?.change.sequence, let last = new.last?.change.sequence else { return }
    entries += new
    bytes += new.reduce(0) { $0 + ($1.row?.byteCount ?? 0) }
    transactions.append(
      HistoryTransaction(
        sequences: first...last, author: .current, user: ProcessUser.identifier, operation: operation, time: Date(),
        nonce: .random(in: 1...UInt64.max)))
    if HistoryRetention.isTimeToTrim(from: first - 1, to: last) {
      trim(retention, adding: new.count, keeping: operation.id)
    }
  }

  /// Whole transactions, the oldest first; never the newest, nor those of the operation that is under way.
  private mutating func trim(_ retention: HistoryRetention, adding count: Int, keeping operation: UUID) {
    var trimmed = 0
    var size = bytes
    var gone = 0
    while gone < transactions.count - 1, transactions[gone].operation?.id != operation,
      entries.count - trimmed > retention.changesMax || size > retention.bytesMax,
      trimmed < HistoryRetention.trimMax(adding: count)
    {
      while trimmed < entries.count, entries[trimmed].change.sequence <= transactions[gone].sequences.upperBound {
        size -= entries[trimmed].row?.byteCount ?? 0
        trimmed += 1
      }
      gone += 1
    }
    bytes = size
    entries.removeFirst(trimmed)
    transactions.removeFirst(gone)
  }

  func mentions(_ type: String, _ id: UUID) -> Bool {
    entries.contains { $0.change.id == id && $0.change.type == type }
  }

  /// Drops the earlier rows of these; the entries stay.
  mutating func forget(_ subjects: Set<Subject>) {
    if subjects.isEmpty { return }
    for index in entries.indices {
      let change = entries[index].change
      guard let row = entries[index].row, subjects.contains(Subject(type: change.type, id: change.id)) else { continue }
      bytes -= row.byteCount
      entries[index].row = nil
    }
  }

  /// The index of the first entry after a sequence.
  func firstIndex(after sequence: Int64) -> Int {
    Self.partition(entries.count) { entries[$0].change.sequence > sequence }
  }

  /// The index of the first transaction that ends at a sequence or behind it.
  func transactionIndex(endingAtOrAfter sequence: Int64) -> Int {
    Self.partition(transactions.count) { transactions[$0].sequences.upperBound >= sequence }
  }

  /// The first of `count` indexes for which the condition is true; it stays true from there on.
  private static func partition(_ count: Int, _ isTrue: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isTrue(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

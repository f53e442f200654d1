import FoundationEssentials
import SaverCore

/// The change history of a store: in the same file as the rows, and so in the same transaction.
struct History: Codable {
  struct Entry: Codable {
    let sequence: Int64
    let type: String
    let id: UUID
    let kind: String
    /// The row before an update or a delete, in the form of the schema that the store has now.
    var row: Row?

    init(_ sequence: Int64, type: String, id: UUID, _ kind: HistoryChange.Kind, _ row: Row?) {
      self.sequence = sequence
      self.type = type
      self.id = id
      self.kind = kind.rawValue
      self.row = row
    }

    /// A kind that a later version has made up says no more than that something has changed.
    var change: HistoryChange {
      HistoryChange(sequence: sequence, type: type, id: id, kind: HistoryChange.Kind(rawValue: kind) ?? .unknown)
    }
  }

  struct Transaction: Codable {
    let first: Int64
    let last: Int64
    let author: UUID
    let user: UInt32
    let operation: UUID
    let name: String
    let undoes: UUID?
    let time: Date
    let nonce: UInt64
  }

  private(set) var entries: [Entry] = []
  private(set) var transactions: [Transaction] = []

  var lastSequence: Int64 { transactions.last?.last ?? 0 }

  /// Adds what a transaction has changed, and forgets what is beyond the limits.
  mutating func append(
    _ new: [Entry], _ operation: WriteOperation, _ retention: HistoryRetention = HistoryRetention()
  ) {
    guard let first = new.first?.sequence, let last = new.last?.sequence,
      case .process(let author) = HistoryTransaction.Author.current
    else { return }
    entries += new
    transactions.append(
      Transaction(
        first: first, last: last, author: author, user: ProcessUser.identifier, operation: operation.id,
        name: operation.name, undoes: operation.undoes, time: Date(), nonce: .random(in: 1...UInt64.max)))
    if HistoryRetention.isTimeToTrim(from: first - 1, to: last) {
      trim(retention, adding: new.count, keeping: operation.id)
    }
  }

  /// Whole transactions, the oldest first; never the newest, nor those of the operation that is under way.
  private mutating func trim(_ retention: HistoryRetention, adding count: Int, keeping operation: UUID) {
    var size = entries.reduce(0) { $0 + ($1.row?.stored.byteCount ?? 0) }
    var trimmed = 0
    var gone = 0
    while gone < transactions.count - 1, transactions[gone].operation != operation,
      entries.count - trimmed > retention.changesMax || size > retention.bytesMax,
      trimmed < HistoryRetention.trimMax(adding: count)
    {
      while trimmed < entries.count, entries[trimmed].sequence <= transactions[gone].last {
        size -= entries[trimmed].row?.stored.byteCount ?? 0
        trimmed += 1
      }
      gone += 1
    }
    entries.removeFirst(trimmed)
    transactions.removeFirst(gone)
  }

  /// Drops the earlier content of one row; the entries stay. Returns whether there are any.
  mutating func forget(_ type: String, _ id: UUID) -> Bool {
    var isMentioned = false
    for index in entries.indices where entries[index].id == id && entries[index].type == type {
      entries[index].row = nil
      isMentioned = true
    }
    return isMentioned
  }

  /// Drops the earlier rows of a record type: they have the form of another schema.
  mutating func forgetRows(of type: String) {
    for index in entries.indices where entries[index].type == type { entries[index].row = nil }
  }
}

extension History.Transaction {
  var transaction: HistoryTransaction {
    HistoryTransaction(
      sequences: first...last, author: .process(author), user: user,
      operation: WriteOperation(name, id: operation, undoes: undoes), time: time, nonce: nonce)
  }
}

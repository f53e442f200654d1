#if LMDB
import CLMDB
import SaverCore

extension IntegrityCheck {
  /// Every change belongs to one transaction, in order, and the transactions say truly how much they hold.
  func checkHistory(_ problems: inout [String]) throws {
    var changes = try cursor(transaction.tables.history)
    var hasChange = try changes.next()
    var entries = try cursor(transaction.tables.transactions)
    var previous: TransactionMark?
    while try entries.next() {
      guard let entry = TransactionEntry(key: entries.key, value: entries.value) else {
        problems.append("The history has a transaction that cannot be read.")
        continue
      }
      let mark = entry.mark
      let name = "The history's transaction \(mark.sequences.upperBound)"
      if let previous, !follows(mark, previous) { problems.append("\(name) does not follow the one before it.") }
      if mark.nonce == 0 { problems.append("\(name) has no nonce.") }
      previous = mark
      var bytes: Int64 = 0
      while hasChange, let sequence = HistoryFormat.sequence(changes.key), sequence <= mark.sequences.upperBound {
        check(changes.value, sequence, &problems)
        if sequence < mark.sequences.lowerBound {
          problems.append("The history's change \(sequence) belongs to no transaction.")
        } else {
          bytes += Int64(changes.key.mv_size + changes.value.mv_size)
        }
        hasChange = try changes.next()
      }
      if bytes != mark.bytes { problems.append("\(name) holds \(bytes) bytes and says \(mark.bytes).") }
    }
    while hasChange {
      let sequence = HistoryFormat.sequence(changes.key).map { "change \($0)" } ?? "entry without a sequence"
      problems.append("The history's \(sequence) belongs to no transaction.")
      hasChange = try changes.next()
    }
  }

  private func follows(_ mark: TransactionMark, _ previous: TransactionMark) -> Bool {
    mark.sequences.lowerBound == previous.sequences.upperBound + 1 && mark.number == previous.number + 1
      && mark.bytesInAll == previous.bytesInAll + mark.bytes
  }

  private func check(_ value: MDB_val, _ sequence: Int64, _ problems: inout [String]) {
    guard let change = HistoryFormat.Change(value) else {
      problems.append("The history's change \(sequence) cannot be read.")
      return
    }
    if (change.kind == .unknown) != change.type.isEmpty {
      problems.append("The history's change \(sequence) names no record type.")
    }
    if change.kind == .insert && change.old != nil {
      problems.append("The history's change \(sequence) is an insert with an old row.")
    }
  }
}
#endif

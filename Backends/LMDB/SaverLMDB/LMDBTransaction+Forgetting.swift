#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

extension LMDBTransaction {
  /// Removes a row and the old rows of its id in the history, and notes that it is gone; returns whether there was any
  /// such thing. The bytes are another matter: see ``LMDBEngine/rewrite(until:)``.
  ///
  /// - Complexity: reads the whole history.
  func forget(_ type: RecordType, _ id: UUID) throws -> Bool {
    let (table, state) = try writingTable(type)
    let mentions = try mentions(of: type, id)
    if try !delete(type, id, keepsRow: false) {
      if mentions.isEmpty { return false }
      try withUnsafeBytes(of: id.uuid) { bytes in
        state.history.prepare(.delete, table, id: MDB_val(bytes), old: nil)
        try check(state.history.append(), "writing the history")
      }
    }
    try empty(mentions.filter { $0.hasRow })
    return true
  }

  /// An entry of the history about the id.
  private struct Mention {
    let sequence: Int64
    let hasRow: Bool
    /// The value without the old row.
    let emptied: [UInt8]
    /// How much shorter that is.
    let difference: Int
  }

  private func mentions(of type: RecordType, _ id: UUID) throws -> [Mention] {
    var mentions: [Mention] = []
    var entries = try RangeCursor(
      tables.history, in: transaction, ranges: [KeyRange()], descending: false, path: path)
    while try entries.next() {
      // An entry that cannot be read is damage, and says nothing of the id.
      guard let sequence = HistoryFormat.sequence(entries.key), let change = HistoryFormat.Change(entries.value),
        UUID(uuid: change.id.loadUnaligned(as: uuid_t.self)) == id, change.type.elementsEqual(type.name.utf8)
      else { continue }
      let emptied = change.withoutRow
      mentions.append(
        Mention(
          sequence: sequence, hasRow: change.old != nil, emptied: emptied,
          difference: entries.value.mv_size - emptied.count))
    }
    return mentions
  }

  /// Takes the old rows out of entries, and corrects what the transactions say of their size.
  private func empty(_ mentions: [Mention]) throws {
    if mentions.isEmpty { return }
    for mention in mentions {
      let result = mention.emptied.withUnsafeBytes { bytes in
        var value = MDB_val(bytes)
        return HistoryFormat.withKey(mention.sequence) { mdb_put(transaction, tables.history, &$0, &value, 0) }
      }
      try check(result, "forgetting")
    }
    var removed: Int64 = 0
    var next = 0
    for var entry in try transactions(from: mentions[0].sequence) {
      while next < mentions.count, mentions[next].sequence <= entry.mark.sequences.upperBound {
        let difference = Int64(mentions[next].difference)
        if mentions[next].sequence >= entry.mark.sequences.lowerBound { entry.mark.bytes -= difference }
        removed += difference
        next += 1
      }
      entry.mark.bytesInAll -= removed
      let state = writingState()
      entry.encode(into: &state.encoder)
      var value = state.encoder.value
      let result = HistoryFormat.withKey(entry.mark.sequences.upperBound) {
        mdb_put(transaction, tables.transactions, &$0, &value, 0)
      }
      try check(result, "forgetting")
    }
    writingState().history.deduct(removed)
  }

  /// The entries of all transactions that end at a sequence or behind it.
  private func transactions(from sequence: Int64) throws -> [TransactionEntry] {
    var found: [TransactionEntry] = []
    let start = withUnsafeBytes(of: sequence.bigEndian) { Array($0) }
    var entries = try RangeCursor(
      tables.transactions, in: transaction, ranges: [KeyRange(lower: start)], descending: false, path: path)
    while try entries.next() {
      if let entry = TransactionEntry(key: entries.key, value: entries.value) { found.append(entry) }
    }
    return found
  }
}

extension HistoryFormat.Change {
  /// The value of the entry without its old row.
  fileprivate var withoutRow: [UInt8] {
    var bytes: [UInt8] = [0x94]
    MessagePack.header(.text, count: type.count) { bytes.append($0) }
    bytes += type
    MessagePack.header(.blob, count: id.count) { bytes.append($0) }
    bytes += id
    bytes += [UInt8(kind.code), 0xc0]
    return bytes
  }
}
#endif

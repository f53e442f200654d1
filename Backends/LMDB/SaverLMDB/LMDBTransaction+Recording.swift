#if LMDB
import CLMDB
import SaverCore

/// How a transaction that writes gets into the history. Every commit of ours leaves an entry, with LMDB's number of the
/// transaction: so another program's commits are found.
extension LMDBTransaction {
  /// Before the first write: finds what other programs have written, and makes good what they left out.
  func beginHistory(_ state: WritingState) throws {
    let previous = try newestMark()
    let isUnknown = try hasUnknownChanges(after: previous)
    let last = max(previous?.sequences.upperBound ?? 0, try lastChange())
    state.history.begin(
      after: previous, next: last + 1, try state.cursor(tables.history, in: transaction, path: path))
    if isUnknown {
      try check(state.history.appendUnknown(), "writing the history")
      try put(TransactionEntry(foreign: state.history.mark(snapshot: ownNumber)), state)
    }
    try rebuildIndexes(ofAll: isUnknown)
    unknownChanges = false
  }

  /// The end of a transaction that has written: its entry, and what goes because the history is long.
  ///
  /// - Parameter operation: `nil` for what is no act of anybody's.
  /// - Returns: whether there is something to commit.
  func finishHistory(_ operation: WriteOperation?, _ retention: HistoryRetention) throws -> Bool {
    if let failure { throw failure }
    guard let state = writing, state.history.isBegun else { return false }
    let (count, before) = (state.history.changes, state.history.previous?.sequences.upperBound ?? 0)
    if count > 0 {
      try put(TransactionEntry(state.history.mark(snapshot: ownNumber), operation: operation), state)
    }
    if let newest = state.history.previous,
      HistoryRetention.isTimeToTrim(from: before, to: newest.sequences.upperBound)
    {
      try trimHistory(retention, newest, adding: count, keeping: operation?.id)
    }
    return count > 0 || state.history.hasForeignEntry
  }

  /// The entry of a migration: rows have changed, and nobody says which.
  ///
  /// - Parameter rewritten: the tables whose rows have a new form; the history has them in the old one so far.
  func recordMigration(rewritten: [Table]) throws {
    let state = writingState()
    try beginHistory(state)
    try check(state.history.appendUnknown(), "writing the history")
    for table in rewritten {
      try StoreMeta.put(
        StoreMeta.sinceKey(table.type.name), number: state.history.next - 1, tables.meta, transaction, path: path)
    }
    try put(TransactionEntry(state.history.mark(snapshot: ownNumber), operation: nil), state)
  }

  /// The entry with which the history of a restored store goes on, behind its own changes and all that the replaced
  /// history had.
  func recordBranch(behind reached: Int64, _ operation: WriteOperation) throws {
    let state = writingState()
    try beginHistory(state)
    let branch = max(state.history.next, reached + 1)
    state.history.begin(
      after: state.history.previous, next: branch, try state.cursor(tables.history, in: transaction, path: path))
    try check(state.history.appendUnknown(), "writing the history")
    try put(TransactionEntry(state.history.mark(snapshot: ownNumber), operation: operation), state)
    try StoreMeta.put(StoreMeta.branchKey, number: branch, tables.meta, transaction, path: path)
  }

  /// Forgets a history that is torn, and begins it anew with an entry of something unknown. It has a higher number than
  /// all that ever was, as far as can be seen, so that no token from before is taken for one of it.
  func restartHistory(_ operation: WriteOperation) throws {
    let reached = try max(historyBranch(), lastSequence(in: tables.history), lastSequence(in: tables.transactions))
    for database in [tables.history, tables.transactions] {
      try check(mdb_drop(transaction, database, 0), "emptying the history")
    }
    let state = writingState()
    state.history.begin(
      after: nil, first: reached + 1, next: reached + 1,
      try state.cursor(tables.history, in: transaction, path: path))
    try check(state.history.appendUnknown(), "writing the history")
    try put(TransactionEntry(state.history.mark(snapshot: ownNumber), operation: operation), state)
    try rebuildIndexes(ofAll: true)
    unknownChanges = false
  }

  /// The greatest key of a database of the history that our writers can have counted to.
  private func lastSequence(in database: MDB_dbi) throws -> Int64 {
    var last: Int64 = 0
    var entries = try RangeCursor(
      database, in: transaction, ranges: [KeyRange()], descending: false, path: path)
    while try entries.next() {
      guard let sequence = HistoryFormat.sequence(entries.key), TransactionMark.isCounted(sequence) else { continue }
      last = max(last, sequence)
    }
    return last
  }

  /// Says that the snapshot is the result of this transaction, or, without `isKnown`, of one that the history does not
  /// tell of: for a copy of a store, in which LMDB counts anew.
  func recordSnapshot(isKnown: Bool) throws {
    let number = isKnown ? ownNumber : 0
    let cursor = try openCursor(tables.transactions, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    var (key, value) = (MDB_val(), MDB_val())
    let result = mdb_cursor_get(cursor, &key, &value, MDB_LAST)
    if result == MDB_NOTFOUND {
      return try StoreMeta.put(
        StoreMeta.createdKey, number: Int64(number), tables.meta, transaction, path: path)
    }
    try check(result, "reading the history")
    // One that cannot be read is damage that the copy has, too.
    guard var entry = TransactionEntry(key: key, value: value) else { return }
    entry.mark.snapshot = number
    let state = writingState()
    entry.encode(into: &state.encoder)
    var content = state.encoder.value
    try check(
      HistoryFormat.withKey(entry.mark.sequences.upperBound) {
        mdb_put(transaction, tables.transactions, &$0, &content, 0)
      },
      "writing the history")
  }

  /// LMDB's number of this transaction, which writes.
  private var ownNumber: UInt64 { UInt64(mdb_txn_id(transaction)) }

  private func put(_ entry: TransactionEntry, _ state: WritingState) throws {
    entry.encode(into: &state.encoder)
    var value = state.encoder.value
    let result = HistoryFormat.withKey(entry.mark.sequences.upperBound) {
      mdb_put(transaction, tables.transactions, &$0, &value, 0)
    }
    try check(result, "writing the history")
    state.history.close(entry)
  }

  // MARK: Indexes

  /// Builds the indexes that do not tell of all rows: all, or those that another of our writers did not know how to build.
  private func rebuildIndexes(ofAll: Bool) throws {
    var built: Set<String> = []
    for table in tables.all {
      guard try ofAll || isStale(table) else { continue }
      // Another process may have migrated the type meanwhile; its entries are not known here.
      guard try hasOwnSchema(table) else { continue }
      try table.rebuildIndexes(transaction, path: path)
      try StoreMeta.remove(table.staleKey, tables.meta, transaction, path: path)
      built.insert(table.type.name)
    }
    if !ofAll { return }
    for name in try storedTypes() where !built.contains(name) {
      try StoreMeta.put(StoreMeta.staleKey(name), [], tables.meta, transaction, path: path)
    }
  }

  /// The names of all record types that the store has.
  func storedTypes() throws -> [String] {
    var names: [String] = []
    let beginning = StoreMeta.schemaBeginning.utf8
    var cursor = try RangeCursor(
      tables.meta, in: transaction, ranges: [KeyRange(lower: Array(beginning))], descending: false, path: path)
    while try cursor.next() {
      let key = UnsafeRawBufferPointer(start: cursor.key.mv_data, count: cursor.key.mv_size)
      guard key.starts(with: beginning) else { break }
      names.append(String(decoding: key.dropFirst(beginning.count), as: UTF8.self))
    }
    return names
  }
}
#endif

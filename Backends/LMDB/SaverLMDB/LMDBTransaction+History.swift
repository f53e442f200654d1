#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

extension LMDBTransaction {
  // MARK: Head

  func historyHead() throws -> HistoryHead {
    let cursor = try openCursor(tables.transactions, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    let identity = try StoreMeta.identity(tables.meta, transaction, path: path)
    let newest = try mark(cursor, MDB_LAST)
    let isUnknown = try unknownChanges ?? hasUnknownChanges(after: newest)
    unknownChanges = isUnknown
    var token = HistoryToken.beginning(of: identity)
    if let newest {
      token.sequence = newest.sequences.upperBound
      token.check = newest.nonce
    }
    return HistoryHead(token: token, revision: revision, hasUnknownChanges: isUnknown)
  }

  func historyOldest() throws -> Int64 {
    let cursor = try openCursor(tables.transactions, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    return try mark(cursor, MDB_FIRST)?.sequences.lowerBound ?? 1
  }

  /// LMDB's number of the transaction whose result the snapshot is, as it was before the first write of this one.
  private var snapshot: UInt64 {
    UInt64(mdb_txn_id(transaction)) - (isWriting ? 1 : 0)
  }

  /// The number, and which file it is the number in.
  private var revision: UInt64 { turn << 48 | snapshot & (1 << 48 - 1) }

  /// The newest entry; `nil` if the history is empty.
  func newestMark() throws -> TransactionMark? {
    let cursor = try openCursor(tables.transactions, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    return try mark(cursor, MDB_LAST)
  }

  /// How large the changes in the history are, keys and values.
  func historyBytes() throws -> Int64 {
    let cursor = try openCursor(tables.transactions, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    guard let newest = try mark(cursor, MDB_LAST), let oldest = try mark(cursor, MDB_FIRST) else { return 0 }
    return newest.bytesInAll - oldest.bytesInAll + oldest.bytes
  }

  private func mark(_ cursor: OpaquePointer, _ place: MDB_cursor_op) throws -> TransactionMark? {
    var (key, value) = (MDB_val(), MDB_val())
    guard try move(cursor, &key, &value, place) else { return nil }
    guard let mark = TransactionMark(key: key, value: value) else { throw damagedHistory() }
    return mark
  }

  /// Whether the snapshot is the result of a commit that the newest entry does not tell of: not of a later one, because
  /// a compacted copy of a store begins to count anew.
  func hasUnknownChanges(after newest: TransactionMark?) throws -> Bool {
    let recorded =
      try newest?.snapshot
      ?? StoreMeta.number(Self.createdKey, tables.meta, transaction, path: path).map { UInt64(bitPattern: $0) }
    return recorded != snapshot
  }

  private static let createdKey = Array(StoreMeta.createdKey.utf8)
  private static let branchKey = Array(StoreMeta.branchKey.utf8)

  /// The last sequence among the changes; 0 if there is none, or a key that is none.
  func lastChange() throws -> Int64 {
    let cursor = try openCursor(tables.history, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    var (key, value) = (MDB_val(), MDB_val())
    guard try move(cursor, &key, &value, MDB_LAST) else { return 0 }
    let sequence = HistoryFormat.sequence(key) ?? 0
    return TransactionMark.isCounted(sequence) ? sequence : 0
  }

  // MARK: Indexes

  /// Whether the indexes of a table tell of all its rows: not if another program has written since our last commit.
  func hasCurrentIndexes(_ table: Table) throws -> Bool {
    if table.indexes.isEmpty { return true }
    return try !isUnknown() && !isStale(table)
  }

  private func isUnknown() throws -> Bool {
    if let unknownChanges { return unknownChanges }
    let isUnknown: Bool
    do { isUnknown = try hasUnknownChanges(after: newestMark()) } catch let error as StorageError
      where error.code == .corrupt
    {
      // A history that cannot be read says nothing about the indexes; the rows are there.
      isUnknown = true
    }
    unknownChanges = isUnknown
    return isUnknown
  }

  func isStale(_ table: Table) throws -> Bool {
    try StoreMeta.withValue(table.staleKey, tables.meta, transaction, path: path) { _ in } != nil
  }

  // MARK: Tokens

  func historyCheck(at sequence: Int64) throws -> UInt64? {
    let cursor = try openCursor(tables.transactions, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    guard
      let mark = try HistoryFormat.withKey(
        sequence,
        { key in
          var value = MDB_val()
          guard try move(cursor, &key, &value, MDB_SET_RANGE) else { return nil as TransactionMark? }
          guard let mark = TransactionMark(key: key, value: value) else { throw damagedHistory() }
          return mark
        }), mark.sequences.contains(sequence)
    else { return nil }
    return mark.nonce
  }

  func historyBranch() throws -> Int64 {
    let branch = try StoreMeta.number(Self.branchKey, tables.meta, transaction, path: path) ?? 0
    // No history could ever come behind another program's garbage.
    return TransactionMark.isCounted(branch) ? branch : 0
  }

  // MARK: Entries

  func changes(after sequence: Int64, _ body: (HistoryChange, borrowing RowView) throws -> Bool) throws {
    if sequence == .max { return }
    let cursor = try openCursor(tables.history, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    var types = HistoryTypes(self)
    try withFrame { frame in
      try HistoryFormat.withKey(max(sequence, 0) + 1) { key in
        var value = MDB_val()
        var isThere = try move(cursor, &key, &value, MDB_SET_RANGE)
        while isThere {
          guard let found = HistoryFormat.sequence(key), let entry = HistoryFormat.Change(value) else {
            throw damagedHistory()
          }
          let change = HistoryChange(
            sequence: found, type: types.name(entry.type), id: UUID(uuid: entry.id.loadUnaligned(as: uuid_t.self)),
            kind: entry.kind)
          var columns = 0
          if let old = entry.old, let count = try types.columns(at: found) {
            columns = count
            RowFormat.read(MDB_val(old), key: MDB_val(entry.id), into: frame.slots, count: count)
          }
          let goesOn =
            columns == 0
            ? try body(change, RowView.empty)
            : try body(change, RowView(slots: UnsafePointer(frame.slots), count: columns, lists: lists))
          if !goesOn { return }
          isThere = try move(cursor, &key, &value, MDB_NEXT)
        }
      }
    }
  }

  func transactions(
    after sequence: Int64, newestFirst: Bool, _ body: (HistoryTransaction) throws -> Bool
  ) throws {
    if sequence == .max { return }
    let cursor = try openCursor(tables.transactions, in: transaction, path: path)
    defer { mdb_cursor_close(cursor) }
    try HistoryFormat.withKey(max(sequence, 0) + 1) { key in
      var value = MDB_val()
      var isThere = try move(cursor, &key, &value, newestFirst ? MDB_LAST : MDB_SET_RANGE)
      while isThere {
        guard let entry = TransactionEntry(key: key, value: value) else { throw damagedHistory() }
        guard entry.mark.sequences.upperBound > sequence, try body(entry.transaction) else { return }
        isThere = try move(cursor, &key, &value, newestFirst ? MDB_PREV : MDB_NEXT)
      }
    }
  }

  /// Moves a cursor; `false` if there is nothing.
  private func move(
    _ cursor: OpaquePointer, _ key: inout MDB_val, _ value: inout MDB_val, _ place: MDB_cursor_op
  ) throws -> Bool {
    let result = mdb_cursor_get(cursor, &key, &value, place)
    if result == MDB_NOTFOUND { return false }
    guard result == 0 else { throw StorageError(lmdb: result, doing: "reading the history", path: path) }
    return true
  }

  private func damagedHistory() -> StorageError {
    StorageError(.corrupt, "The history of the store is damaged. Restore a backup.", path: path)
  }
}

/// The record types of the changes that are walked over: neighbours mostly have the same.
private struct HistoryTypes {
  private let transaction: LMDBTransaction
  private var current: Table?
  /// Of each table: from where on the history has its rows in the form of the program's schema. `nil` until asked.
  private var since: [Int64?]

  init(_ transaction: LMDBTransaction) {
    self.transaction = transaction
    since = Array(repeating: nil, count: transaction.tables.all.count)
  }

  /// The name of the type of a change, which becomes the current one.
  mutating func name(_ bytes: UnsafeRawBufferPointer) -> String {
    if let current, bytes.isSame(as: current.nameBytes) { return current.type.name }
    current = transaction.tables.all.first { bytes.isSame(as: $0.nameBytes) }
    return current?.type.name ?? String(decoding: bytes, as: UTF8.self)
  }

  /// The number of columns of an old row of the current type; `nil` if it has another form than the program's rows.
  mutating func columns(at sequence: Int64) throws -> Int? {
    guard let current, let index = transaction.tables.all.firstIndex(where: { $0 === current }) else { return nil }
    if since[index] == nil {
      since[index] =
        try transaction.hasOwnSchema(current)
        ? StoreMeta.number(current.sinceKey, transaction.tables.meta, transaction.transaction, path: transaction.path)
          ?? 0 : .max
    }
    return sequence > since[index] ?? .max ? current.type.fields.count : nil
  }
}
#endif

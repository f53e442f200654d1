#if LMDB
import CLMDB
import SaverCore

/// What a transaction keeps for writing: memory that is used for row after row, and a cursor for each database.
///
/// Used by the thread of the transaction.
final class WritingState {
  // MARK: Mutable state
  // Owned by the thread that uses the transaction. What each row touches is exempt from the runtime's look-out for
  // overlapping accesses, which is 10 % of an insert or an update. None can overlap: each goes on within one function of
  // the transaction's, and a record that fills `writer` has nothing to reach it by but what it was handed.
  @exclusivity(unchecked) var writer: RowWriter
  @exclusivity(unchecked) var encoder = RowEncoder()
  @exclusivity(unchecked) var history = HistoryWriter()
  /// The keys of the row that is written, one behind the other.
  @exclusivity(unchecked) var keys = TupleBuffer()
  /// Those of the row that it replaces, and where each ends.
  @exclusivity(unchecked) var oldKeys = TupleBuffer()
  @exclusivity(unchecked) var oldKeyEnds: [Int] = []
  /// By database. Inserts come nearly in order, so the page that a cursor is on is mostly the right one.
  @exclusivity(unchecked) private var cursors: [OpaquePointer?] = []
  /// The types that were written in this transaction.
  var preparedTypes: [ObjectIdentifier] = []

  init(columns: Int) {
    writer = RowWriter(columns: columns, listEncoding: .messagePack)
  }

  @inline(__always)
  func cursor(_ database: MDB_dbi, in transaction: OpaquePointer, path: String) throws -> OpaquePointer {
    let index = Int(database)
    if index < cursors.count, let cursor = cursors[index] { return cursor }
    return try open(database, in: transaction, path: path)
  }

  @inline(never)
  private func open(_ database: MDB_dbi, in transaction: OpaquePointer, path: String) throws -> OpaquePointer {
    let cursor = try openCursor(database, in: transaction, path: path)
    while cursors.count <= Int(database) { cursors.append(nil) }
    cursors[Int(database)] = cursor
    return cursor
  }

  /// Forgets the transaction: its cursors, which must not outlive one that writes, and what was found out in it.
  func end() {
    for case let cursor? in cursors { mdb_cursor_close(cursor) }
    cursors.removeAll(keepingCapacity: true)
    preparedTypes.removeAll(keepingCapacity: true)
    history.end()
  }
}
#endif

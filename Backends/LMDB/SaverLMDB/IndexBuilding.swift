#if LMDB
import CLMDB
import SaverCore

extension Table {
  /// Builds all indexes from the rows.
  ///
  /// - Complexity: grows with the number of rows.
  func rebuildIndexes(_ transaction: OpaquePointer, path: String) throws {
    for index in indexes {
      let result = mdb_drop(transaction, index.database, 0)
      if result != 0 { throw StorageError(lmdb: result, doing: "emptying an index", path: path) }
    }
    if indexes.isEmpty { return }
    let columns = type.fields.count
    let frame = LMDBTransaction.Frame(columns: columns)
    var rows = try RangeCursor(self.rows, in: transaction, ranges: [KeyRange()], descending: false, path: path)
    while try rows.next() {
      // Another program's key that is no id has no place in an index.
      guard rows.key.mv_size == IndexKey.idSize else { continue }
      RowFormat.read(rows.value, key: rows.key, into: frame.slots, count: columns)
      for index in indexes {
        frame.key.removeAll()
        IndexKey.append(index, type, RowView(slots: UnsafePointer(frame.slots), count: columns), to: &frame.key)
        var key = MDB_val(frame.key.bytes)
        var value = MDB_val(mv_size: 0, mv_data: nil)
        let result = mdb_put(transaction, index.database, &key, &value, 0)
        if result != 0 { throw StorageError(lmdb: result, doing: "building an index", path: path) }
      }
    }
  }
}
#endif

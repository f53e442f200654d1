#if SQLite
import CSQLite
import SaverCore

/// The check value of a change that no transaction of ours covers: a hash of everything in its entry.
enum HistoryDigest {
  static let select = "SELECT * FROM \"\(StoreFormat.historyTable)\" WHERE \"sequence\" = ?1"

  /// The digest of the entry in the statement's current row; never 0.
  ///
  /// Columns that hold nothing are left out: a history that is widened keeps its digests. They are counted anew for
  /// each row, since the table can have been widened after the statement was prepared.
  static func ofRow(_ statement: Statement) -> UInt64 {
    var hash = StableHash()
    for column in 0..<sqlite3_column_count(statement.pointer) {
      let type = sqlite3_column_type(statement.pointer, column)
      if type == SQLITE_NULL { continue }
      hash.combine(UInt64(column) << 8 | UInt64(type))
      switch type {
      case SQLITE_INTEGER: hash.combine(UInt64(bitPattern: sqlite3_column_int64(statement.pointer, column)))
      case SQLITE_FLOAT: hash.combine(sqlite3_column_double(statement.pointer, column).bitPattern)
      default:
        let bytes = sqlite3_column_blob(statement.pointer, column)
        hash.combine(
          UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement.pointer, column))))
      }
    }
    return hash.value == 0 ? 1 : hash.value
  }
}
#endif

#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// The check value of a change that no transaction of ours covers: a hash of everything in its entry.
enum HistoryDigest {
  static let select = "SELECT * FROM \"\(StoreFormat.historyTable)\" WHERE \"sequence\" = ?1"

  /// The digest of the entry in the statement's current row; never 0.
  ///
  /// Columns that hold nothing are left out: a history that is widened keeps its digests. They are counted anew for
  /// each row, since the table can have been widened after the statement was prepared.
  static func ofRow(_ statement: Statement) -> UInt64 {
    if let kept = kept(statement) { return kept }
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

  /// What an entry has in place of its shape once its old row was forgotten: the digest that it had with it, so that
  /// tokens stay good.
  static func value(_ digest: UInt64) -> StoredValue {
    .data(withUnsafeBytes(of: digest.bigEndian) { Data($0) })
  }

  private static func kept(_ statement: Statement) -> UInt64? {
    guard sqlite3_column_type(statement.pointer, shapeColumn) == SQLITE_BLOB,
      sqlite3_column_bytes(statement.pointer, shapeColumn) == 8
    else { return nil }
    return statement.bytes(shapeColumn).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static let shapeColumn: Int32 = 4
}
#endif

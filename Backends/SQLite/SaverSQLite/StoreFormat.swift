#if SQLite
/// What makes an SQLite file a store of ours: numbers in its header, and three tables.
enum StoreFormat {
  /// "SAVR": in the file's header, where `file` and other programs look for the owner.
  static let applicationID: Int32 = 0x5341_5652
  /// The file's `user_version`. Version 0 had no history.
  static let version: Int32 = 1

  /// Key and value: the identity, the schema of each record type, what there is to know about the history.
  static let metaTable = "saver_store"
  static let identityKey = "identity"
  static let keepsRowsKey = "history.keeps_rows"

  /// The sequence with which the history began a new branch when the store was restored last.
  static let branchKey = "history.branch"

  static func schemaKey(_ type: String) -> String { "schema.\(type)" }

  /// The changes, and the transactions that they belong to.
  static let historyTable = "saver_history"
  static let transactionTable = "saver_transaction"

  /// No history counts so far by itself: a sequence from here on is another program's garbage, and could overflow.
  static let sequenceLimit: Int64 = 1 << 60

  /// The column of the history that holds an old row's column: the id, column 0, has one of its own.
  static func oldColumn(_ column: Int) -> String { "\"old_\(column)\"" }

  /// The history's columns have no type and no condition. They hold whatever a row held; and a condition that can fail
  /// would let another program's `INSERT OR IGNORE` skip the entry and keep the row.
  static let definition = """
    CREATE TABLE "\(metaTable)" ("key" TEXT NOT NULL PRIMARY KEY, "value" ANY NOT NULL) STRICT;
    CREATE TABLE "\(historyTable)" (
      "sequence" INTEGER PRIMARY KEY, "type", "id", "kind", "shape"
    );
    CREATE TABLE "\(transactionTable)" (
      "last" INTEGER PRIMARY KEY, "first", "author", "user", "operation", "name", "undoes", "time", "nonce",
      "bytes", "bytes_before"
    )
    """
}
#endif

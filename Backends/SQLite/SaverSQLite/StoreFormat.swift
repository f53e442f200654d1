#if SQLite
/// What makes an SQLite file a store of ours: numbers in its header, and one table.
enum StoreFormat {
  /// "SAVR": in the file's header, where `file` and other programs look for the owner.
  static let applicationID: Int32 = 0x5341_5652
  /// The file's `user_version`. Version 1 will keep a history of changes.
  static let version: Int32 = 0

  /// Key and value: the identity, and the schema of each record type.
  static let metaTable = "saver_store"
  static let identityKey = "identity"

  static func schemaKey(_ type: String) -> String { "schema.\(type)" }

  static let definition = """
    CREATE TABLE "\(metaTable)" ("key" TEXT NOT NULL PRIMARY KEY, "value" ANY NOT NULL) STRICT
    """
}
#endif

#if SQLite
import CSQLite
import FoundationEssentials
import SaverCore

/// What a store says about itself, in the table `saver_store`.
struct StoreMeta {
  let identity: UUID
  /// The text of each record type's schema. Few, and no dictionary: making its type is 4 % of `saver list`.
  let schemas: [(type: String, text: String)]
  /// Whether the history keeps rows as they were.
  let keepsRows: Bool

  /// Reads it.
  init(_ connection: Connection) throws {
    var identity: UUID?
    var schemas: [(type: String, text: String)] = []
    var keepsRows = true
    let prefix = StoreFormat.schemaKey("")
    do {
      try connection.rows("SELECT \"key\", \"value\" FROM \"\(StoreFormat.metaTable)\"", doing: "reading the store") {
        row in
        let key = row.text(0)
        if key == StoreFormat.identityKey {
          row.fillSlots()
          identity = try? RowView(slots: row.slots, count: row.columns)[1]
        } else if key == StoreFormat.keepsRowsKey {
          keepsRows = row.integer(1) != 0
        } else if key.hasPrefix(prefix) {
          schemas.append((String(key.dropFirst(prefix.count)), row.text(1)))
        }
      }
    } catch let error as StorageError where error.cause?.code == SQLITE_ERROR {
      // No such table, or other columns.
      throw Self.damaged(connection)
    }
    guard let identity else { throw Self.damaged(connection) }
    self.identity = identity
    self.schemas = schemas
    self.keepsRows = keepsRows
  }

  /// The text of a record type's schema, if the store has the type.
  func schema(of type: RecordType) -> String? {
    schemas.first { $0.type == type.name }?.text
  }

  /// The identity alone, as it is in this snapshot.
  static func identity(_ connection: Connection) throws -> UUID {
    var identity: UUID?
    do {
      try connection.rows(
        "SELECT \"value\" FROM \"\(StoreFormat.metaTable)\" WHERE \"key\" = '\(StoreFormat.identityKey)'",
        doing: "reading the store"
      ) { row in
        row.fillSlots()
        identity = try? RowView(slots: row.slots, count: row.columns)[0]
      }
    } catch let error as StorageError where error.cause?.code == SQLITE_ERROR {
      throw damaged(connection)
    }
    guard let identity else { throw damaged(connection) }
    return identity
  }

  private static func damaged(_ connection: Connection) -> StorageError {
    StorageError(
      .corrupt, "The store does not say what it is: '\(StoreFormat.metaTable)' is damaged. Restore a backup.",
      path: connection.path)
  }

  static func write(identity: UUID, _ connection: Connection) throws {
    try write(StoreFormat.identityKey, .uuid(identity), connection)
  }

  static func write(schemaOf type: RecordType, _ connection: Connection) throws {
    try write(StoreFormat.schemaKey(type.name), .text(StoredSchema(type).text), connection)
  }

  static func write(keepsRows: Bool, _ connection: Connection) throws {
    try write(StoreFormat.keepsRowsKey, .bool(keepsRows), connection)
  }

  static func write(branch: Int64, _ connection: Connection) throws {
    try write(StoreFormat.branchKey, .int(Int(branch)), connection)
  }

  private static func write(_ key: String, _ value: StoredValue, _ connection: Connection) throws {
    try connection.rows(
      "INSERT OR REPLACE INTO \"\(StoreFormat.metaTable)\" (\"key\", \"value\") VALUES (?1, ?2)", [.text(key), value],
      doing: "writing the schema"
    ) { _ in }
  }
}
#endif

#if SQLite
import SaverCore

extension SQLiteTransaction {
  /// Refuses a store that another process has migrated since it was opened here: this one would read columns that mean
  /// something else by now, and put back the triggers of its own schema.
  ///
  /// Looks only if something was committed since the last look of this connection, and into the schemas only if these can
  /// have changed.
  ///
  /// - Throws: ``StorageError`` with `schemaMismatch`.
  func requireOwnSchemas() throws {
    let version = connection.dataVersion
    if let checked = connection.checkedTypes, checked.dataVersion == version { return }
    let schema = try connection.currentSchema()
    if connection.checkedTypes?.schemaVersion != schema {
      let meta = try StoreMeta(connection)
      for type in tables.all.map(\.type) where meta.schema(of: type) != StoredSchema(type).text {
        throw StorageError.schemaChanged(of: type, to: meta.schema(of: type), path: connection.path)
      }
    }
    connection.checkedTypes = (version, schema)
  }
}
#endif

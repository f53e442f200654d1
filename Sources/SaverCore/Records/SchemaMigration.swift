/// How rows of an older schema become rows of the program's.
///
/// Only what cannot lose anything is a migration: new fields that are optional or have a default, new or dropped indexes
/// and derived columns, fields that became optional, another order of the fields. Rows and indexes are written anew.
public struct SchemaMigration: Sendable {
  /// Where the value of a column comes from.
  public enum Source: Hashable, Sendable {
    /// The old row's column of this index.
    case stored(Int)
    case `default`(FieldDescription.Default)
  }

  public let from: StoredSchema
  /// One for each field of the program's record type.
  public let columns: [Source]

  /// The migration from a stored schema to the program's; `nil` if they are the same.
  ///
  /// - Throws: ``StorageError`` with `schemaMismatch`, saying what stands in the way.
  public init?(from stored: StoredSchema, to type: RecordType) throws {
    if stored == StoredSchema(type) { return nil }
    func refused(_ reason: String) -> StorageError {
      StorageError(.schemaMismatch, "The store's '\(type.name)' does not fit this program: \(reason).")
    }
    if stored.version > type.version {
      throw refused(
        "its schema has version \(stored.version), the program's \(type.version); use a newer version of the program")
    }
    for old in stored.fields where !type.fields.contains(where: { $0.name == old.name }) {
      throw refused("it has a field '\(old.name)' that the program does not know, and would lose")
    }
    from = stored
    columns = try type.fields.map { field in
      guard let index = stored.fields.firstIndex(where: { $0.name == field.name }) else {
        if field.default == .none {
          throw refused("'\(field.name)' is not in the store, is not optional and has no default")
        }
        return .default(field.default)
      }
      let old = stored.fields[index]
      if old.type != field.type {
        throw refused("'\(field.name)' is of type \(old.type.rawValue) there and \(field.type.rawValue) here")
      }
      if old.isOptional && !field.isOptional { throw refused("'\(field.name)' is optional there and not here") }
      return .stored(index)
    }
  }
}

extension StorageError {
  /// The error of a store whose schema another program has changed while this one had it open.
  ///
  /// What this program would read and write then has another form than the store's: it does neither.
  ///
  /// - Parameter stored: the schema that the store has now, as a text; `nil` if it has lost it.
  public static func schemaChanged(
    of type: RecordType, to stored: String?, path: String, fileID: String = #fileID, line: Int = #line
  ) -> StorageError {
    guard let version = stored.flatMap({ StoredSchema(parsing: $0) })?.version else {
      return StorageError(
        .corrupt, "The store has lost the schema of '\(type.name)'. Restore a backup.", path: path, fileID: fileID,
        line: line)
    }
    let remedy = version > type.version ? "Use a newer version of the program." : "Open it again."
    return StorageError(
      .schemaMismatch,
      "Another program has migrated the store's '\(type.name)' to version \(version) while this one, which knows version"
        + " \(type.version), had it open. \(remedy)", path: path, fileID: fileID, line: line)
  }
}

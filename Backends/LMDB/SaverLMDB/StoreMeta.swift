#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

/// What a store says of itself, in the database `saver`: its format, its identity, and the schemas of its types.
struct StoreMeta {
  static let formatVersion = 0
  static let database = "saver"

  static let formatKey = "format"
  static let identityKey = "identity"
  static func schemaKey(_ name: String) -> String { "schema:\(name)" }

  // MARK: Reading

  static func value(
    _ key: String, _ database: MDB_dbi, _ transaction: OpaquePointer, path: String
  ) throws -> [UInt8]? {
    var bytes = Array(key.utf8)
    return try bytes.withUnsafeMutableBytes { bytes in
      var name = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      var value = MDB_val()
      let result = mdb_get(transaction, database, &name, &value)
      if result == MDB_NOTFOUND { return nil }
      guard result == 0 else { throw StorageError(lmdb: result, doing: "reading", path: path) }
      return Array(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }
  }

  /// The stored schema of a type, as a text; `nil` if the store does not have the type.
  static func schema(
    of type: RecordType, _ database: MDB_dbi, _ transaction: OpaquePointer, path: String
  ) throws -> String? {
    try value(schemaKey(type.name), database, transaction, path: path).map { String(decoding: $0, as: UTF8.self) }
  }

  static func identity(_ database: MDB_dbi, _ transaction: OpaquePointer, path: String) throws -> UUID {
    guard let bytes = try value(identityKey, database, transaction, path: path), bytes.count == 16 else {
      throw StorageError(.corrupt, "The store has lost its identity. Restore a backup.", path: path)
    }
    return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }

  // MARK: Writing

  static func put(
    _ key: String, _ value: [UInt8], _ database: MDB_dbi, _ transaction: OpaquePointer, path: String
  ) throws {
    var (key, value) = (Array(key.utf8), value)
    let result = key.withUnsafeMutableBytes { key in
      value.withUnsafeMutableBytes { value in
        var name = MDB_val(mv_size: key.count, mv_data: key.baseAddress)
        var content = MDB_val(mv_size: value.count, mv_data: value.baseAddress)
        return mdb_put(transaction, database, &name, &content, 0)
      }
    }
    if result != 0 { throw StorageError(lmdb: result, doing: "writing", path: path) }
  }

  static func putSchema(
    of type: RecordType, _ database: MDB_dbi, _ transaction: OpaquePointer, path: String
  ) throws {
    try put(schemaKey(type.name), Array(StoredSchema(type).text.utf8), database, transaction, path: path)
  }
}
#endif

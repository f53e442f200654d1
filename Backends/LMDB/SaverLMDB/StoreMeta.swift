#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

/// What a store says of itself, in the database `saver`: its format, its identity, and the schemas of its types; and what
/// has become of the indexes and the history.
struct StoreMeta {
  static let formatVersion = 1
  static let database = "saver"

  static let formatKey = "format"
  static let identityKey = "identity"
  /// LMDB's number of the transaction that made the store: what the newest entry of the history says once there is one.
  static let createdKey = "created"
  /// The sequence with which the history began a new branch when the store was restored last.
  static let branchKey = "branch"
  static let schemaBeginning = "schema:"
  static func schemaKey(_ name: String) -> String { schemaBeginning + name }
  /// There while the indexes of a type do not tell of all rows: another program has written, and whoever noticed did not
  /// know the type. The next writer that does builds them anew.
  static func staleKey(_ name: String) -> String { "stale:\(name)" }
  /// The sequence up to which the history has the rows of a type in the form of an earlier schema.
  static func sinceKey(_ name: String) -> String { "since:\(name)" }

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

  /// Calls `body` with the value of a key, where it lies; `nil` if there is none. Copies nothing.
  static func withValue<Result>(
    _ key: [UInt8], _ database: MDB_dbi, _ transaction: OpaquePointer, path: String,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    try key.withUnsafeBytes { bytes in
      var key = MDB_val(bytes)
      var value = MDB_val()
      let result = mdb_get(transaction, database, &key, &value)
      if result == MDB_NOTFOUND { return nil }
      guard result == 0 else { throw StorageError(lmdb: result, doing: "reading", path: path) }
      return try body(UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }
  }

  /// The number that a key's value is: 8 bytes, big-endian. `nil` if there is none.
  static func number(
    _ key: [UInt8], _ database: MDB_dbi, _ transaction: OpaquePointer, path: String
  ) throws -> Int64? {
    try withValue(key, database, transaction, path: path) {
      $0.count == 8 ? Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) : nil
    } ?? nil
  }

  /// The stored schema of a type, as a text; `nil` if the store does not have the type.
  static func schema(
    of type: RecordType, _ database: MDB_dbi, _ transaction: OpaquePointer, path: String
  ) throws -> String? {
    try value(schemaKey(type.name), database, transaction, path: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let identityBytes = Array(identityKey.utf8)

  static func identity(_ database: MDB_dbi, _ transaction: OpaquePointer, path: String) throws -> UUID {
    let identity = try withValue(identityBytes, database, transaction, path: path) {
      $0.count == 16 ? UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) : nil
    }
    guard let identity = identity ?? nil else {
      throw StorageError(.corrupt, "The store has lost its identity. Restore a backup.", path: path)
    }
    return identity
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

  static func put(
    _ key: String, number: Int64, _ database: MDB_dbi, _ transaction: OpaquePointer, path: String
  ) throws {
    try put(key, withUnsafeBytes(of: number.bigEndian) { Array($0) }, database, transaction, path: path)
  }

  static func remove(_ key: [UInt8], _ database: MDB_dbi, _ transaction: OpaquePointer, path: String) throws {
    let result = key.withUnsafeBytes { bytes in
      var key = MDB_val(bytes)
      return mdb_del(transaction, database, &key, nil)
    }
    if result != 0 && result != MDB_NOTFOUND { throw StorageError(lmdb: result, doing: "writing", path: path) }
  }

  static func putSchema(
    of type: RecordType, _ database: MDB_dbi, _ transaction: OpaquePointer, path: String
  ) throws {
    try put(schemaKey(type.name), Array(StoredSchema(type).text.utf8), database, transaction, path: path)
  }
}
#endif

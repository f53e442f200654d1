#if LMDB
import CLMDB
import SaverCore

/// What the engine keeps of a record type: the open databases of its rows and indexes.
final class Table: Sendable {
  let type: RecordType
  let rows: MDB_dbi
  let indexes: [Index]
  /// Of each field: whether it is a boolean, which the rows' encoding tells from an integer and a slot does not.
  let isBoolean: [Bool]
  /// The schema as the store must have it, ``StoredSchema/text``.
  let schema: [UInt8]
  /// The type's name, and as entries of the history have it, encoded.
  let nameBytes: [UInt8]
  let encodedName: [UInt8]
  /// Keys of ``StoreMeta``.
  let schemaKey: [UInt8]
  let staleKey: [UInt8]
  let sinceKey: [UInt8]

  /// A class, because to copy it is then to count one reference, which is felt at each row that is written.
  final class Index: Sendable {
    let description: IndexDescription
    let database: MDB_dbi
    /// The columns of the row on which the keys depend: of a derived column, its source.
    let sources: [Int]
    let columns: [Int]

    init(_ description: IndexDescription, database: MDB_dbi, sources: [Int]) {
      self.description = description
      self.database = database
      self.sources = sources
      columns = description.columns
    }

    var name: String { description.name }
  }

  /// - Parameter handles: the open databases by name; those of the type are among them.
  init?(_ type: RecordType, handles: [String: MDB_dbi]) {
    guard let rows = handles[Self.rowsName(type)] else { return nil }
    self.type = type
    self.rows = rows
    isBoolean = type.fields.map { $0.type == .bool }
    schema = Array(StoredSchema(type).text.utf8)
    var name: [UInt8] = []
    MessagePack.header(.text, count: type.name.utf8.count) { name.append($0) }
    nameBytes = Array(type.name.utf8)
    encodedName = name + nameBytes
    schemaKey = Array(StoreMeta.schemaKey(type.name).utf8)
    staleKey = Array(StoreMeta.staleKey(type.name).utf8)
    sinceKey = Array(StoreMeta.sinceKey(type.name).utf8)
    var indexes: [Index] = []
    for description in type.indexes {
      guard let database = handles[Self.indexName(type, description)] else { return nil }
      let sources = description.columns.map { column in
        column < type.fields.count
          ? column : type.fields.firstIndex { $0.name == type.derived[column - type.fields.count].source } ?? 0
      }
      indexes.append(Index(description, database: database, sources: sources))
    }
    self.indexes = indexes
  }

  // MARK: Names of databases

  static func rowsName(_ type: RecordType) -> String { type.name }
  static func indexName(_ type: RecordType, _ index: IndexDescription) -> String { "\(type.name).\(index.name)" }

  /// The names of all databases of a type; the rows' first.
  static func names(_ type: RecordType) -> [String] {
    [rowsName(type)] + type.indexes.map { indexName(type, $0) }
  }
}

/// The tables of the record types that a store was opened with.
struct Tables: Sendable {
  let all: [Table]
  /// The database of ``StoreMeta``.
  let meta: MDB_dbi
  /// Those of ``HistoryFormat``.
  let history: MDB_dbi
  let transactions: MDB_dbi

  /// - Parameter handles: the open databases by name; `nil` if one is missing.
  init?(_ types: [RecordType], handles: [String: MDB_dbi]) {
    guard let meta = handles[StoreMeta.database], let history = handles[HistoryFormat.changes],
      let transactions = handles[HistoryFormat.transactions]
    else { return nil }
    self.meta = meta
    self.history = history
    self.transactions = transactions
    var tables: [Table] = []
    for type in types {
      guard let table = Table(type, handles: handles) else { return nil }
      tables.append(table)
    }
    all = tables
  }

  /// The names of the databases that every store has.
  static let ownNames = [StoreMeta.database, HistoryFormat.changes, HistoryFormat.transactions]

  /// The names of all databases that the types need.
  static func names(_ types: [RecordType]) -> [String] {
    ownNames + types.flatMap(Table.names)
  }

  /// The table of a record type: by identity, which a schema keeps; by name for one that makes its type anew.
  ///
  /// - Throws: ``StorageError`` with `schemaMismatch` if the store was opened without the type.
  @inline(__always) func table(_ type: RecordType) throws -> Table {
    for table in all where table.type === type { return table }
    return try table(named: type)
  }

  @inline(never) private func table(named type: RecordType) throws -> Table {
    for table in all where table.type.name == type.name && StoredSchema(table.type) == StoredSchema(type) {
      return table
    }
    throw StorageError(.schemaMismatch, "The store was opened without the record type '\(type.name)'.")
  }

  /// The number of columns of the widest row.
  var columnsMax: Int { all.map(\.type.fields.count).max() ?? 0 }
}
#endif

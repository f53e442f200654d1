#if SQLite
import SaverCore

/// The tables of the record types that a store was opened with.
struct Tables: Sendable {
  let all: [Table]

  init(_ types: [RecordType]) {
    all = types.enumerated().map { Table($1, index: $0) }
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
}
#endif

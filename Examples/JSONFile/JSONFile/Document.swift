import FoundationEssentials
import SaverCore

/// All that the file holds. A value: a snapshot is a copy.
struct Document: Codable {
  static let format = 1

  var format = Document.format
  var identity = UUID.version7()
  /// The schema that each record type was last written with, by its name.
  var schemas: [String: String] = [:]
  var tables: [String: Table] = [:]
  var history = History()
  /// The sequence with which the history began anew when the store was restored last.
  var branch: Int64?

  /// The rows of one record type.
  struct Table {
    var rows: [UUID: Row] = [:]
  }
}

extension Document.Table: Codable {
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let row = try container.decode(Row.self)
      rows[try row.id] = row
    }
  }

  /// In the order of the ids, so that two versions of a file can be compared.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for (_, row) in rows.sorted(by: { $0.key < $1.key }) { try container.encode(row) }
  }
}

// MARK: Maintaining

extension Document {
  /// Goes on from here with numbers that neither history has had.
  mutating func beginBranch(behind replaced: History, _ operation: WriteOperation) {
    let first = max(history.lastSequence, replaced.lastSequence) + 1
    history.append([History.Entry(first, type: "", id: noID, .unknown, nil)], operation)
    branch = first
  }

  /// Removes a row and what the history has of it; returns whether there was any such thing.
  mutating func forget(_ type: String, _ id: UUID) -> Bool {
    let isThere = tables[type]?.rows.removeValue(forKey: id) != nil
    return history.forget(type, id) || isThere
  }
}

// MARK: Migrating

extension Document {
  /// Fits the document to the program's record types; returns whether anything had to be changed.
  ///
  /// - Throws: ``StorageError`` with `schemaMismatch`; nothing has changed then.
  mutating func migrate(to types: [RecordType], path: String) throws -> Bool {
    var new = self
    var isChanged = false
    var isMigrated = false
    for type in types {
      let wanted = StoredSchema(type).text
      guard let text = schemas[type.name] else {
        new.schemas[type.name] = wanted
        new.tables[type.name] = Table()
        isChanged = true
        continue
      }
      guard let stored = StoredSchema(parsing: text) else {
        throw StorageError(.corrupt, "The schema of '\(type.name)' cannot be read.", path: path)
      }
      guard let migration = try SchemaMigration(from: stored, to: type) else { continue }
      new.schemas[type.name] = wanted
      new.tables[type.name]?.rows = try (tables[type.name]?.rows ?? [:]).mapValues {
        try $0.migrated(migration)
      }
      new.history.forgetRows(of: type.name)
      isMigrated = true
    }
    // What a migration did to the rows the history cannot tell, and says so.
    if isMigrated {
      new.history.append(
        [History.Entry(new.history.lastSequence + 1, type: "", id: noID, .unknown, nil)],
        WriteOperation("migrate"))
    }
    self = new
    return isChanged || isMigrated
  }
}

/// The id of an entry that is about no row.
private let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

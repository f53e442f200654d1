#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

/// Reads all rows, index entries and the history of a snapshot, and compares them.
struct IntegrityCheck {
  let transaction: LMDBTransaction

  private static let problemsMax = 100

  /// What is wrong, in sentences; never anybody's text.
  func problems() throws -> [String] {
    var problems: [String] = []
    for table in transaction.tables.all {
      let found = try findings(in: table)
      problems += found.rows + found.indexes
    }
    try checkHistory(&problems)
    if problems.count > Self.problemsMax {
      let more = problems.count - Self.problemsMax
      problems = Array(problems.prefix(Self.problemsMax)) + ["And \(more) more."]
    }
    return problems
  }

  /// What is wrong with the rows of a table, and with its indexes.
  struct Findings {
    var rows: [String] = []
    /// Building them anew mends it.
    var indexes: [String] = []
  }

  func findings(in table: Table) throws -> Findings {
    var findings = Findings()
    try checkRows(of: table, &findings)
    for index in table.indexes { try checkEntries(of: index, table, &findings.indexes) }
    return findings
  }

  func cursor(_ database: MDB_dbi) throws -> RangeCursor {
    try RangeCursor(
      database, in: transaction.transaction, ranges: [KeyRange()], descending: false, path: transaction.path)
  }

  private func has(_ key: MDB_val, in database: MDB_dbi) -> Bool {
    var (key, value) = (key, MDB_val())
    return mdb_get(transaction.transaction, database, &key, &value) == 0
  }

  /// Every row decodes, and has its entry in each index.
  private func checkRows(of table: Table, _ findings: inout Findings) throws {
    let type = table.type
    var rows = try cursor(table.rows)
    try transaction.withFrame { frame in
      while try rows.next() {
        RowFormat.read(rows.value, key: rows.key, into: frame.slots, count: type.fields.count)
        let row = RowView(slots: UnsafePointer(frame.slots), count: type.fields.count)
        let id: UUID? = try? row[0]
        let name = "The \(type.name) \(id?.hexadecimal ?? "whose key is no id")"
        if let problem = problem(of: row, type) { findings.rows.append("\(name) \(problem)") }
        guard id != nil else { continue }
        if !hasOwnID(rows.value, rows.key) { findings.rows.append("\(name) has another id inside than its key.") }
        for index in table.indexes {
          frame.key.removeAll()
          IndexKey.append(index, type, row, to: &frame.key)
          if !has(MDB_val(frame.key.bytes), in: index.database) {
            findings.indexes.append("\(name) is missing in the index \(index.name).")
          }
        }
      }
    }
  }

  /// Every entry has its row, with the values that the entry says.
  private func checkEntries(of index: Table.Index, _ table: Table, _ problems: inout [String]) throws {
    let type = table.type
    var entries = try cursor(index.database)
    try transaction.withFrame { frame in
      while try entries.next() {
        guard var id = IndexKey.id(entries.key) else {
          problems.append("The index \(index.name) of \(type.name) has a key without an id.")
          continue
        }
        let bytes = UnsafeRawBufferPointer(start: id.mv_data, count: id.mv_size)
        let name = UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)).hexadecimal
        var value = MDB_val()
        guard mdb_get(transaction.transaction, table.rows, &id, &value) == 0 else {
          problems.append("The index \(index.name) has an entry for the \(type.name) \(name), which does not exist.")
          continue
        }
        RowFormat.read(value, key: id, into: frame.slots, count: type.fields.count)
        frame.key.removeAll()
        IndexKey.append(
          index, type, RowView(slots: UnsafePointer(frame.slots), count: type.fields.count), to: &frame.key)
        let key = UnsafeRawBufferPointer(start: entries.key.mv_data, count: entries.key.mv_size)
        if RowSorter.order(frame.key.bytes, key) != 0 {
          problems.append("The index \(index.name) has an entry with other values than the \(type.name) \(name).")
        }
      }
    }
  }

  /// Why a row cannot be decoded; `nil` if it can.
  private func problem(of row: borrowing RowView, _ type: RecordType) -> String? {
    for column in 0..<row.count {
      let field = type.fields[column]
      do {
        if try StoredValue.decode(row, column, as: field.type) == .null, !field.isOptional {
          return "has no value in '\(field.name)'."
        }
      } catch {
        return "\((error as? RowError)?.reason ?? "cannot be read"), in '\(field.name)'."
      }
    }
    return nil
  }

  /// Whether the id that the value repeats is that of the key.
  private func hasOwnID(_ value: MDB_val, _ key: MDB_val) -> Bool {
    let bytes = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    guard var reader = MessagePackReader(bytes), let count = reader.arrayHeader(), count > 0, let id = reader.blob()
    else { return false }
    return id.elementsEqual(UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size))
  }
}
#endif

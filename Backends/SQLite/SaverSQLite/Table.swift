#if SQLite
import FoundationEssentials
import SaverCore

/// A record type as a table: its names, and the SQL that does not depend on a query.
///
/// Made once for each open store, never changed.
final class Table: Sendable {
  let type: RecordType
  /// Its place among the tables of the store.
  let index: Int
  /// The table's name, quoted.
  let name: String
  /// The names of all columns, derived ones last, quoted.
  let columns: [String]
  /// `SELECT` and the fields, `FROM` and the table.
  let select: String
  let rowByID: String
  let insert: String
  /// The id is the first parameter; a derived column takes its value as the fields do.
  let update: String
  let delete: String

  /// For each derived column, the column that it is computed from.
  let sources: [Int]

  init(_ type: RecordType, index: Int) {
    self.type = type
    self.index = index
    name = SQLText.quoted(type.name)
    let columns = (0..<type.fields.count + type.derived.count).map { SQLText.quoted(type.name(ofColumn: $0)) }
    self.columns = columns
    let fields = columns.prefix(type.fields.count).joined(separator: ", ")
    select = "SELECT \(fields) FROM \(name)"
    rowByID = "\(select) WHERE \"id\" = ?1"
    let parameters = columns.indices.map { "?\($0 + 1)" }
    insert = """
      INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(parameters.joined(separator: ", ")))
      """
    let assignments = columns.indices.dropFirst().map { "\(columns[$0]) = \(parameters[$0])" }
    // A record that is nothing but its id has nothing to set.
    update = """
      UPDATE \(name) SET \(assignments.isEmpty ? "\"id\" = ?1" : assignments.joined(separator: ", ")) WHERE "id" = ?1
      """
    delete = "DELETE FROM \(name) WHERE \"id\" = ?1"
    sources = type.derived.map { type.column(named: $0.source)! }
  }

  func name(of index: IndexDescription) -> String { "\(type.name)_\(index.name)" }
  func missingName(_ derived: DerivedField) -> String { "\(type.name)_\(derived.name)_missing" }
  func triggerName(_ derived: DerivedField) -> String { "\(type.name)_\(derived.name)_clear" }
}
#endif

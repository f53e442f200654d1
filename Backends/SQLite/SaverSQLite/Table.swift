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
  /// The columns beside the id that an index has, and the others.
  private let indexed: [Int]
  private let others: [Int]

  /// For each derived column, the column that it is computed from.
  let sources: [Int]

  init(_ type: RecordType, index: Int) {
    self.type = type
    self.index = index
    name = SQLText.quoted(type.name)
    let columns = (0..<type.fields.count + type.derived.count).map { SQLText.quoted(type.name(ofColumn: $0)) }
    self.columns = columns
    let fields = Array(columns.prefix(type.fields.count)).joined(separator: ", ")
    select = "SELECT \(fields) FROM \(name)"
    rowByID = "\(select) WHERE \"id\" = ?1"
    let isIndexed = columns.indices.map { column in type.indexes.contains { $0.columns.contains(column) } }
    indexed = columns.indices.dropFirst().filter { isIndexed[$0] }
    others = columns.indices.dropFirst().filter { !isIndexed[$0] }
    sources = type.derived.map { type.column(named: $0.source)! }
  }

  // MARK: Writing: each made once for a connection, when it is prepared.

  /// Each column is the parameter of its number.
  var insert: String {
    let parameters = columns.indices.map { "?\($0 + 1)" }
    return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(parameters.joined(separator: ", ")))"
  }

  /// The id is the first parameter; a derived column takes its value as the fields do.
  var update: String {
    let assignments = assignments(Array(columns.indices.dropFirst()))
    // A record that is nothing but its id has nothing to set.
    return "UPDATE \(name) SET \(assignments.isEmpty ? "\"id\" = ?1" : assignments) WHERE \"id\" = ?1"
  }

  /// Whether there is an index that an update can spare. It has to name a field: what names derived columns only, the
  /// history takes for no update.
  var sparesIndexes: Bool { !indexed.isEmpty && others.contains { $0 < type.fields.count } }

  /// The same for a row whose indexed values stay as they are; of any other it changes nothing.
  ///
  /// SQLite writes the entry of an index again whose columns are named, changed or not: a third of an update.
  var updateBesideIndexes: String {
    let conditions = indexed.map { " AND \(columns[$0]) IS ?\($0 + 1)" }
    return "UPDATE \(name) SET \(assignments(others)) WHERE \"id\" = ?1" + conditions.joined()
  }

  private func assignments(_ set: [Int]) -> String {
    set.map { "\(columns[$0]) = ?\($0 + 1)" }.joined(separator: ", ")
  }

  var delete: String { "DELETE FROM \(name) WHERE \"id\" = ?1" }

  // MARK: Names

  func name(of index: IndexDescription) -> String { "\(type.name)_\(index.name)" }
  func missingName(_ derived: DerivedField) -> String { "\(type.name)_\(derived.name)_missing" }
  func triggerName(_ derived: DerivedField) -> String { "\(type.name)_\(derived.name)_clear" }
}
#endif

/// A record type as engines see it: names, types, indexes; nothing generic.
///
/// Compared by identity where speed counts: each schema makes one, once.
public final class RecordType: Sendable {
  public let name: String
  /// The schema's version, counted up by its author whenever a field changes.
  public let version: Int
  /// One for each column of a row, in order. The first is the id.
  public let fields: [FieldDescription]
  public let derived: [DerivedField]
  public let indexes: [IndexDescription]
  /// Of all columns, derived ones last.
  private let names: [String]

  init(
    _ name: String, version: Int, fields: [FieldDescription], indexes: [[AnyKeyPath]], derived: [DerivedField]
  ) {
    precondition(isIdentifier(name), "'\(name)' is no name for a record type")
    precondition(
      fields.first?.name == "id" && fields[0].type == .uuid && !fields[0].isOptional,
      "the first field of \(name) must be its id, a UUID")
    let names = fields.map(\.name) + derived.map(\.name)
    precondition(Set(names).count == names.count, "two fields of \(name) have one name")
    self.name = name
    self.version = version
    self.fields = fields
    self.derived = derived
    self.names = names
    for field in derived {
      precondition(
        fields.contains { $0.name == field.source && $0.type == .string },
        "\(name).\(field.name) is derived from '\(field.source)', which is no text field")
    }

    var lists = fields.indices.filter { fields[$0].isIndexed }.map { [$0] }
    lists += indexes.map { keyPaths in
      keyPaths.map { keyPath in
        guard let column = fields.firstIndex(where: { $0.keyPath == keyPath }) else {
          preconditionFailure("an index of \(name) is not over a field")
        }
        return column
      }
    }
    lists += derived.indices.filter { derived[$0].isIndexed }.map { [fields.count + $0] }
    self.indexes = lists.map { list in
      for column in list where column < fields.count {
        precondition(fields[column].type != .strings, "a list of texts cannot be indexed")
      }
      return IndexDescription(name: list.map { names[$0] }.joined(separator: "_and_"), columns: list)
    }
    precondition(Set(self.indexes.map(\.name)).count == self.indexes.count, "two indexes of \(name) are the same")
  }

  /// The index of a column: of a field, or, from `fields.count` on, of a derived one.
  ///
  /// A few comparisons: derived values ask for each row that is written, and a table of hashed names costs more.
  public func column(named name: String) -> Int? { names.firstIndex(of: name) }

  /// A few comparisons: cheaper at the start of a program than a table of hashed key paths.
  func column(at keyPath: AnyKeyPath) -> Int? { fields.firstIndex { $0.keyPath == keyPath } }

  /// The name of a column, derived ones included.
  public func name(ofColumn column: Int) -> String { names[column] }

  /// The type of a column. Derived ones are texts.
  public func type(ofColumn column: Int) -> FieldType {
    column < fields.count ? fields[column].type : .string
  }

  /// Whether a column can be null. A derived one is never null to a query: it is computed when it is missing.
  public func isOptional(column: Int) -> Bool {
    column < fields.count && fields[column].isOptional
  }
}

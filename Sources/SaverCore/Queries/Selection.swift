import FoundationEssentials

/// A query as engines see it: nothing generic, names resolved and types checked.
public struct Selection: Sendable {
  public let type: RecordType
  /// Checked: every field exists, every constant has its field's type.
  public let filter: Filter
  /// Total: the id is among the columns, and nothing stands behind it.
  public let order: [SortColumn]
  public let limit: Int?
  public let offset: Int
  /// The place behind which the results begin: one value for each column of `order`.
  public let after: [StoredValue]?

  /// A column to sort by; derived columns cannot be sorted by.
  public struct SortColumn: Hashable, Sendable {
    public var column: Int
    public var descending: Bool

    public init(column: Int, descending: Bool) {
      self.column = column
      self.descending = descending
    }
  }

  /// - Throws: ``StorageError`` with `invalidQuery`, naming the field, if the filter or the sort keys do not fit the type.
  public init(
    _ type: RecordType, filter: Filter = .constant(true), order keys: [SortKey] = [], limit: Int? = nil,
    offset: Int = 0, after position: Position? = nil
  ) throws {
    try type.check(filter)
    self.type = type
    self.filter = filter
    self.limit = limit
    self.offset = offset
    (order, after) = try Self.total(keys, position, type)
  }

  /// Resolves the keys and ends them with the id.
  private static func total(
    _ keys: [SortKey], _ position: Position?, _ type: RecordType
  ) throws -> ([SortColumn], [StoredValue]?) {
    if let position, position.values.count != keys.count {
      throw StorageError(.invalidQuery, "a place to go on from has as many values as there are sort keys")
    }
    var columns: [SortColumn] = []
    var values: [StoredValue] = []
    for (index, key) in keys.enumerated() {
      guard let column = type.column(named: key.field), column < type.fields.count else {
        throw StorageError(.invalidQuery, "\(type.name) has no field '\(key.field)' to sort by")
      }
      let field = type.fields[column]
      guard field.type != .strings else {
        throw StorageError(.invalidQuery, "\(type.name).\(field.name) is a list of texts, which has no order")
      }
      // What stands behind the id decides nothing, nor does a field that was there before.
      if columns.contains(where: { $0.column == column || $0.column == 0 }) { continue }
      columns.append(SortColumn(column: column, descending: key.descending))
      if let position {
        let value = position.values[index]
        guard value.type == field.type || value == .null && field.isOptional else {
          throw StorageError(.invalidQuery, "the place to go on from has no \(field.type.rawValue) for '\(field.name)'")
        }
        values.append(value)
      }
    }
    if columns.contains(where: { $0.column == 0 }) { return (columns, position.map { _ in values }) }
    columns.append(SortColumn(column: 0, descending: columns.last?.descending ?? false))
    if let position { values.append(.uuid(position.id)) }
    return (columns, position.map { _ in values })
  }
}

extension Query {
  /// The query, checked against the record's schema.
  @usableFromInline func selection() throws -> Selection {
    try Selection(
      R.schema.type, filter: filter, order: order, limit: limit, offset: offset, after: position)
  }
}

/// An index over several fields, for a schema's `indexes`: `Index(\Note.isDone, \Note.createdAt)`.
///
/// An index of one field is said at the field: `Field(…, indexed: true)`.
public struct Index<Root>: Sendable {
  let keyPaths: [any PartialKeyPath<Root> & Sendable]

  public init(_ keyPaths: any PartialKeyPath<Root> & Sendable...) {
    self.keyPaths = keyPaths
  }
}

/// What an engine needs to know of an index. Every index is made unique by the record's id behind its columns.
public struct IndexDescription: Hashable, Sendable {
  /// The names of its columns, joined by `_and_`: unique within the record type.
  public let name: String
  /// Columns in the order of the index; fields first, then derived columns (see ``RecordType/column(named:)``).
  public let columns: [Int]
}

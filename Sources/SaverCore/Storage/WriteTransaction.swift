public import FoundationEssentials

/// The one writer of a store, within a closure of ``Store/write(_:)``. Reads see its own changes.
public struct WriteTransaction: ~Copyable, TransactionReading {
  @usableFromInline let writer: any EngineWriteTransaction
  public var engine: any EngineReadTransaction { writer }

  // Not inlinable, for the reason that ReadTransaction gives.
  @usableFromInline init(_ writer: any EngineWriteTransaction) {
    self.writer = writer
  }

  /// Inserts a record.
  ///
  /// - Throws: ``StorageError`` with `duplicateID` if its id is there already, `invalidRecord` if it cannot be stored.
  @inlinable
  public mutating func insert<R: Record>(_ record: R) throws {
    let encode = R.schema.encode
    try writer.insert(R.schema.type) { encode(record, &$0) }
  }

  /// Replaces the record of the same id; returns whether there was one.
  @inlinable @discardableResult
  public mutating func update<R: Record>(_ record: R) throws -> Bool {
    let encode = R.schema.encode
    return try writer.update(R.schema.type) { encode(record, &$0) }
  }

  /// Replaces the record of the same id, or inserts it.
  @inlinable
  public mutating func save<R: Record>(_ record: R) throws {
    if try !update(record) { try insert(record) }
  }

  /// Deletes the record of this id; returns whether there was one.
  @discardableResult
  public mutating func delete<R: Record>(_: R.Type, id: UUID) throws -> Bool {
    try writer.delete(R.schema.type, id)
  }

  /// Deletes all results of a query; returns how many there were.
  @discardableResult
  public mutating func delete<R: Record>(_ query: Query<R>) throws -> Int {
    // The ids first: no engine has to bear that rows go while it walks over them.
    let ids = try ids(query)
    for id in ids { _ = try writer.delete(R.schema.type, id) }
    return ids.count
  }
}

public import FoundationEssentials

/// What can be read in a transaction, whether it writes or not.
///
/// The loops are inlined into the module of the record: decoding is specialised there, and the engine's boundary is
/// crossed once a row.
public protocol TransactionReading: ~Copyable {
  var engine: any EngineReadTransaction { get }
}

extension TransactionReading where Self: ~Copyable {
  /// All results of a query, in order.
  ///
  /// - Throws: ``StorageError``; `damagedRow` if a row does not fit its schema, `invalidQuery`.
  @inlinable
  public func fetch<R: Record>(_ query: Query<R>) throws -> [R] {
    var records: [R] = []
    let decode = R.schema.decode
    try engine.scan(try query.selection()) { row in
      do { records.append(try decode(row)) } catch { throw damaged(R.schema.type, row, error) }
      return true
    }
    return records
  }

  /// Calls `body` with each result, one at a time, until it returns `false`; keeps none.
  @inlinable
  public func forEach<R: Record>(_ query: Query<R>, _ body: (R) throws -> Bool) throws {
    let decode = R.schema.decode
    try engine.scan(try query.selection()) { row in
      let record: R
      do { record = try decode(row) } catch { throw damaged(R.schema.type, row, error) }
      return try body(record)
    }
  }

  /// The first result of a query.
  @inlinable
  public func first<R: Record>(_ query: Query<R>) throws -> R? {
    try fetch(query.limit(min(query.limit ?? 1, 1))).first
  }

  /// The record of this id.
  @inlinable
  public func record<R: Record>(_: R.Type, id: UUID) throws -> R? {
    var record: R?
    let decode = R.schema.decode
    _ = try engine.row(R.schema.type, id) { row in
      do { record = try decode(row) } catch { throw damaged(R.schema.type, row, error) }
    }
    return record
  }

  /// The number of results of a query; decodes nothing.
  @inlinable
  public func count<R: Record>(_ query: Query<R>) throws -> Int {
    try engine.count(try query.selection())
  }

  /// The ids of the results, in order; decodes nothing else, so that damaged rows have one too.
  public func ids<R: Record>(_ query: Query<R>) throws -> [UUID] {
    var ids: [UUID] = []
    try engine.scan(try query.selection()) { row in
      do { ids.append(try row[0]) } catch { throw damaged(R.schema.type, row, error) }
      return true
    }
    return ids
  }

  /// How a query would be answered: index, pushed conditions, conditions evaluated row by row.
  public func explain<R: Record>(_ query: Query<R>) throws -> QueryPlan {
    try engine.explain(try query.selection())
  }

  /// The rows and index entries read since the transaction began.
  public var rowsRead: Int { engine.rowsRead }
}

/// Names the record and the field of a row that cannot be decoded.
@inline(never) @usableFromInline
func damaged(_ type: RecordType, _ row: borrowing RowView, _ error: any Error) -> any Error {
  guard let error = error as? RowError else { return error }
  let id: UUID? = try? row[0]
  let name = error.column < type.fields.count ? type.fields[error.column].name : "column \(error.column)"
  return StorageError(
    .damagedRow,
    "The \(type.name) \(id?.hexadecimal ?? "without a valid id") \(error.reason), in '\(name)'."
      + " Another program wrote it; repair or delete it.")
}

/// Which properties of a record are stored, under which names, and how a record is made of them.
///
/// The fields stand in the order of `make`'s arguments: fields whose types differ cannot be confused, the compiler says
/// so at the field; two neighbours of one type can, so round-trip a record of distinct values in a test.
/// For 1 to 16 fields the initialisers are written out (`Schema+Arities.swift`), because code that the compiler sees
/// through decodes a row a quarter faster; a parameter pack serves beyond.
public struct Schema<R: Sendable>: Sendable {
  public let type: RecordType
  @usableFromInline let decode: @Sendable (borrowing RowView) throws -> R
  @usableFromInline let encode: @Sendable (R, inout RowWriter) -> Void

  @usableFromInline
  init(
    _ name: String, version: Int, fields: [FieldDescription], indexes: [Index<R>], derived: [DerivedField],
    decode: @escaping @Sendable (borrowing RowView) throws -> R,
    encode: @escaping @Sendable (R, inout RowWriter) -> Void
  ) {
    type = RecordType(
      name, version: version, fields: fields, indexes: indexes.map { $0.keyPaths.map { $0 as AnyKeyPath } },
      derived: derived)
    self.decode = decode
    self.encode = encode
  }

  /// Any number of fields. About a third slower for each row than the initialisers for up to 16.
  @inlinable
  public init<each Value: FieldValue>(
    _ name: String, version: Int, _ field: repeat Field<R, each Value>, indexes: [Index<R>] = [],
    derived: [DerivedField] = [], make: @escaping @Sendable (repeat each Value) -> R
  ) {
    var descriptions: [FieldDescription] = []
    repeat descriptions.append((each field).description)
    let fields = (repeat each field)
    self.init(
      name, version: version, fields: descriptions, indexes: indexes, derived: derived,
      decode: { row in
        var column = 0
        return make(repeat try decodeNext((each Value).self, row, &column))
      },
      encode: { record, row in repeat (each fields).value(of: record).encode(into: &row) })
  }
}

@inlinable @inline(__always)
func decodeNext<Value: FieldValue>(_: Value.Type, _ row: borrowing RowView, _ column: inout Int) throws -> Value {
  defer { column += 1 }
  return try Value.decode(row, column)
}

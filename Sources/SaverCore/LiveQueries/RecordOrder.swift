/// Not within the order, which is generic: then its type would be looked up at each use.
private struct KeyColumn {
  let column: Int
  let type: FieldType
  let descending: Bool
}

/// The order of the records of a query, and whether two records are stored as the same: by their encoded form.
///
/// It keeps the memory that it encodes into: used by one thread at a time.
final class RecordOrder<R: Record> {
  // MARK: Mutable state
  // Owned by the one thread that uses the order.
  private var writer: RowWriter
  private var otherWriter: RowWriter
  private var probe = TupleBuffer()

  private let columns: [KeyColumn]
  private let encode = R.schema.encode

  init(_ order: [Selection.SortColumn] = []) {
    let type = R.schema.type
    columns = order.map {
      KeyColumn(column: $0.column, type: type.type(ofColumn: $0.column), descending: $0.descending)
    }
    writer = RowWriter(columns: type.fields.count, listEncoding: .messagePack)
    otherWriter = RowWriter(columns: type.fields.count, listEncoding: .messagePack)
  }

  /// Appends the bytes by which a row sorts.
  func appendKey(of row: borrowing RowView, to key: inout TupleBuffer) {
    for column in columns {
      key.append(row[slot: column.column], as: column.type, descending: column.descending)
    }
  }

  /// Appends the bytes by which a record sorts.
  ///
  /// - Throws: ``RowError`` if it cannot be stored.
  func appendKey(of record: R, to key: inout TupleBuffer) throws {
    writer.begin()
    encode(record, &writer)
    try writer.finish { appendKey(of: $0, to: &key) }
  }

  /// The number of records that come before a key, in a list that is in order.
  func position(of key: UnsafeRawBufferPointer, in list: RecordList<R>, from start: Int) throws -> Int {
    var low = start
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if try precedes(list[middle], key) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func precedes(_ record: R, _ key: UnsafeRawBufferPointer) throws -> Bool {
    probe.removeAll()
    try appendKey(of: record, to: &probe)
    return probe.bytes.comes(before: key)
  }

  /// Whether two records are stored as the same row.
  func isSame(_ record: R, _ other: R) -> Bool {
    writer.begin()
    encode(record, &writer)
    otherWriter.begin()
    encode(other, &otherWriter)
    let isSame = try? writer.finish { row in
      try otherWriter.finish { other in Self.isSame(row, other) }
    }
    return isSame ?? false
  }

  private static func isSame(_ row: borrowing RowView, _ other: borrowing RowView) -> Bool {
    guard row.count == other.count else { return false }
    for column in 0..<row.count {
      let (slot, second) = (row[slot: column], other[slot: column])
      guard slot.kind == second.kind, slot.bits == second.bits else { return false }
      switch slot.kind {
      case .null, .integer, .real: continue
      case .text, .blob, .jsonList, .packedList: if !slot.bytes.isSame(as: second.bytes) { return false }
      }
    }
    return true
  }
}

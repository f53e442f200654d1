import FoundationEssentials

/// Which rows a live query is about, and their order: the query made ready to judge single rows.
///
/// Used by one thread at a time.
final class LiveCondition<R: Record> {
  let query: Query<R>
  let type = R.schema.type
  let order: RecordOrder<R>
  private let filter: CompiledFilter
  /// The key behind which the results begin.
  private let afterKey: [UInt8]?
  // MARK: Mutable state
  // Owned by the one thread that uses the condition.
  private var key = TupleBuffer()

  /// - Throws: ``StorageError`` with `invalidQuery`.
  init(_ query: Query<R>) throws {
    self.query = query
    let selection = try query.selection()
    filter = try CompiledFilter(query.filter, type)
    order = RecordOrder(selection.order)
    if let position = selection.after {
      var key = TupleBuffer()
      for (column, value) in zip(selection.order, position) {
        key.append(value, as: type.type(ofColumn: column.column), descending: column.descending)
      }
      afterKey = Array(key.bytes)
    } else {
      afterKey = nil
    }
  }

  /// Whether a row is one that the query finds, its limit and offset aside.
  func includes(_ row: borrowing RowView) -> Bool {
    guard filter.matches(row) else { return false }
    guard let afterKey else { return true }
    key.removeAll()
    order.appendKey(of: row, to: &key)
    return afterKey.withUnsafeBytes { $0.comes(before: key.bytes) }
  }

  /// The rows behind `position`, or, if that is `nil`, behind where the query begins.
  func selection(limit: Int?, offset: Int = 0, after position: Position? = nil) throws -> Selection {
    try Selection(
      type, filter: query.filter, order: query.order, limit: limit, offset: offset, after: position ?? query.position)
  }

  /// Whether one of the changes can have changed what the query finds: the row was or is one that it finds.
  func isTouched(by changes: [ChangeSet.Change], _ transaction: any EngineReadTransaction) throws -> Bool {
    for change in changes {
      switch change.before {
      case .unknown: return true
      case .present(let row): if row.withView({ includes($0) }) { return true }
      case .absent: break
      }
      var isTouched = false
      _ = try transaction.row(type, change.id) { isTouched = includes($0) }
      if isTouched { return true }
    }
    return false
  }
}

import FoundationEssentials
import SaverCore

/// Where a fault takes hold of what a ``BrokenEngine`` tells of its history. What is `nil` or `false` is left as it is.
struct HistoryFault: Sendable {
  /// Changes an entry, or leaves it out.
  var entry: (@Sendable (HistoryChange) -> HistoryChange?)?
  /// Changes a value of an old row; gets the column's name.
  var value: (@Sendable (StoredValue, String) -> StoredValue)?
  /// Gives the row as it is now instead of the one before.
  var givesPresentRows = false
  /// Gives no old rows.
  var forgetsRows = false
  /// Gives the change at a token's place once more.
  var repeatsPlace = false
  var head: (@Sendable (HistoryHead) -> HistoryHead)?
  var oldest: (@Sendable (Int64) -> Int64)?
  var check: (@Sendable (UInt64?, Int64) -> UInt64?)?
  var transaction: (@Sendable (HistoryTransaction) -> HistoryTransaction?)?
  /// Gives transactions in order when they were asked for backwards.
  var ignoresOrder = false
  /// Moves the token on when a write was rolled back, or changed nothing.
  var countsFailedWrites = false
  /// Writes each transaction as an operation of its own.
  var forgetsOperation = false
  var retention: (@Sendable (HistoryRetention) -> HistoryRetention)?
  /// Has no history of what was before it was opened.
  var forgetsWhenOpened = false
}

extension HistoryFault {
  /// Gives `body` the old row of an entry as the fault has it.
  func withRow(
    _ change: HistoryChange, _ row: borrowing RowView, in reader: any EngineReadTransaction,
    _ body: (HistoryChange, borrowing RowView) throws -> Bool
  ) throws -> Bool {
    if forgetsRows { return try body(change, RowView.empty) }
    guard row.count > 0, let type = Trial.world.first(where: { $0.name == change.type }) else {
      return try body(change, row)
    }
    if givesPresentRows {
      var goesOn = true
      let isThere = try reader.row(type, change.id) { goesOn = try body(change, $0) }
      return isThere ? goesOn : try body(change, RowView.empty)
    }
    guard let value else { return try body(change, row) }
    var writer = RowWriter(columns: type.fields.count, listEncoding: .messagePack)
    writer.begin()
    for (column, field) in type.fields.enumerated() {
      value(try StoredValue.decode(row, column, as: field.type), field.name).encode(into: &writer)
    }
    return try writer.finish { try body(change, $0) }
  }
}

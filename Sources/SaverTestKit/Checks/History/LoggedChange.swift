import FoundationEssentials
import SaverCore

/// An entry of a history with the row that belongs to it, as a check compares it.
struct LoggedChange {
  var change: HistoryChange
  /// The row as it was before; `nil` if the history does not have it.
  var row: [StoredValue]?

  /// What happened to which row: all that a check can know beforehand.
  var event: Event { Event(kind: change.kind, type: change.type, id: change.id) }

  struct Event: Hashable, CustomStringConvertible {
    var kind: HistoryChange.Kind
    var type: String
    var id: UUID

    var description: String { "\(kind.rawValue) \(type) \(id.hexadecimal)" }
  }
}

extension LoggedChange.Event {
  static func insert<R: Record>(_ record: R) -> Self { Self(kind: .insert, type: R.recordType.name, id: record.id) }
  static func update<R: Record>(_ record: R) -> Self { Self(kind: .update, type: R.recordType.name, id: record.id) }
  static func delete<R: Record>(_ record: R) -> Self { Self(kind: .delete, type: R.recordType.name, id: record.id) }
}

extension TransactionReading where Self: ~Copyable {
  /// The changes after a sequence with the rows before them, decoded by the types of the kit's world.
  func logged(after sequence: Int64 = 0) throws -> [LoggedChange] {
    var logged: [LoggedChange] = []
    try engine.changes(after: sequence) { change, row in
      var values: [StoredValue]?
      if row.count > 0, let type = Trial.world.first(where: { $0.name == change.type }) {
        values = []
        for (column, field) in type.fields.enumerated() {
          values?.append(try StoredValue.decode(row, column, as: field.type))
        }
      }
      logged.append(LoggedChange(change: change, row: values))
      return true
    }
    return logged
  }

  /// All changes after a token, which has to be good.
  func changes(after token: HistoryToken?, limit: Int? = nil) throws -> ([HistoryChange], HistoryToken) {
    switch try history(after: token, limit: limit) {
    case .changes(let changes, let through): return (changes, through)
    case .unusable(let standing): throw UnusableToken(standing: standing)
    }
  }
}

struct UnusableToken: Error, CustomStringConvertible {
  var standing: HistoryToken.Standing
  var description: String { "a good token was refused as \(standing.rawValue)" }
}

extension Trial {
  /// Runs one write and expects it to leave these entries, in this order, and no others.
  func expectLogged(
    _ wanted: [LoggedChange.Event], in store: Store, by what: String, fileID: String = #fileID, line: Int = #line,
    _ body: (inout WriteTransaction) throws -> Void
  ) throws {
    let before = try store.read { try $0.token() }
    try store.write { try body(&$0) }
    let (found, after) = try store.read { (try $0.logged(after: before.sequence).map(\.event), try $0.token()) }
    try expectEqual(found, wanted, "the history of \(what)", fileID: fileID, line: line)
    try expect(wanted.isEmpty == (before == after), "the token after \(what): \(after)", fileID: fileID, line: line)
  }

  /// Expects the row of an entry to be that of a record, in every bit.
  func expectRow<R: TransparentRecord>(
    _ logged: LoggedChange, _ record: R, _ what: @autoclosure () -> String, fileID: String = #fileID, line: Int = #line
  ) throws {
    guard let row = logged.row else {
      throw failure("\(what()): the history has no old row of \(logged.event)", fileID, line)
    }
    try expectEqual(row.count, R.columns.count, "\(what()): columns", fileID: fileID, line: line)
    for (column, value) in zip(R.columns, row) where !value.isIdentical(to: record.value(of: column)) {
      let wanted = record.value(of: column)
      throw failure("\(what()): the old '\(column)' is \(value), wanted \(wanted)", fileID, line)
    }
  }
}

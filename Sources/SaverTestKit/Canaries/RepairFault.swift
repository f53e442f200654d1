import FoundationEssentials
import SaverCore

/// What goes wrong when a store is mended.
enum RepairFault: Sendable {
  /// Says that it has mended something, and does nothing.
  case doesNothing
  /// Mends, and says nothing.
  case isSilent
  /// Mends, and loses a record.
  case dropsRecord
  /// Mends, and moves a date by a second.
  case changesDate
  /// Takes every token from before for one of another branch, whatever was wrong.
  case losesTokens
  /// Takes tokens of the history that was torn for those of the new one.
  case keepsTokens
  /// Finds something to mend each time.
  case neverEnds

  /// What is mended, with the fault.
  func repair(_ sound: any Engine, _ types: [RecordType]) throws -> [String] {
    if self == .doesNothing { return ["Something was mended."] }
    let mended = try sound.repair()
    switch self {
    case .isSilent: return []
    case .neverEnds: return mended + ["Something was mended."]
    case .dropsRecord:
      try change(sound, types) { try $0.delete($1, $2) }
    case .changesDate:
      try change(sound, types) { transaction, type, id in
        var values: [StoredValue] = []
        _ = try transaction.row(type, id) { row in
          for (column, field) in type.fields.enumerated() {
            values.append(try StoredValue.decode(row, column, as: field.type))
          }
        }
        values = values.map { value in
          if case .date(let date) = value {
            .date(Date(timeIntervalSince1970: date.timeIntervalSince1970 + 1))
          } else {
            value
          }
        }
        return try transaction.update(type) { row in for value in values { value.encode(into: &row) } }
      }
    case .doesNothing, .losesTokens, .keepsTokens: break
    }
    return mended
  }

  private func change(
    _ engine: any Engine, _ types: [RecordType],
    _ body: (any EngineWriteTransaction, RecordType, UUID) throws -> Bool
  ) throws {
    try engine.write(WriteOperation("repair")) { transaction in
      for type in types {
        var first: UUID?
        try transaction.scan(try Selection(type)) { row in
          first = try row[0]
          return false
        }
        if let first { _ = try body(transaction, type, first) }
      }
    }
  }
}

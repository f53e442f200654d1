import FoundationEssentials
import SaverCore

/// A sound transaction behind a fault.
final class BrokenTransaction: EngineWriteTransaction {
  enum Operation {
    case insert(RecordType, [StoredValue])
    case update(RecordType, [StoredValue])
    case delete(RecordType, UUID)
  }

  private let reader: any EngineReadTransaction
  /// `nil` in a read, and where changes are postponed.
  private let writer: (any EngineWriteTransaction)?
  private let engine: any Engine
  private let fault: Fault

  // MARK: Mutable state
  // Owned by the thread of the transaction.
  /// Whether each question goes to a new read of the engine.
  var asksTheEngine = false
  /// Records that are not seen.
  var hidden: Set<UUID> = []
  private(set) var inserted: Set<UUID> = []
  private(set) var postponed: [Operation] = []
  private var changes = 0
  /// Added to the sequence of the token.
  var sequencesAdded: Int64 = 0
  /// Where the history begins.
  var firstSequence: Int64 = 0
  /// Where the history ended before the store was mended; `nil` if it was not.
  var tokenBeforeRepair: HistoryToken?

  /// Whether anything was changed that the engine was to note.
  var hasChanged: Bool { changes > 0 }

  init(
    _ reader: any EngineReadTransaction, _ engine: any Engine, _ fault: Fault,
    writer: (any EngineWriteTransaction)? = nil
  ) {
    self.reader = reader
    self.writer = writer
    self.engine = engine
    self.fault = fault
    asksTheEngine = fault.reading == .latest
  }

  private func withReader(_ body: (any EngineReadTransaction) throws -> Void) throws {
    if asksTheEngine { try engine.read(body) } else { try body(reader) }
  }

  private func broken(_ selection: Selection, isCount: Bool) throws -> Selection {
    var parts = SelectionParts(selection)
    if let change = fault.selection { parts = change(parts) }
    if isCount, let change = fault.counted { parts = change(parts) }
    if let replace = fault.filter { parts.filter = parts.filter.replacing { replace($0, selection.type) } }
    if !hidden.isEmpty { parts.filter = parts.filter && !.isIn("id", hidden.map { .uuid($0) }) }
    return try parts.selection()
  }

  // MARK: Reading

  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws {
    let selection = try broken(selection, isCount: false)
    try withReader { reader in
      var left = fault.dropsLastRow ? try reader.count(selection) - 1 : .max
      do {
        try reader.scan(selection) { row in
          guard left > 0 else { return false }
          left -= 1
          return try body(row) || fault.ignoresStop
        }
      } catch  where fault.swallowsErrorsOfScans {}
    }
  }

  func row(_ type: RecordType, _ id: UUID, _ body: (borrowing RowView) throws -> Void) throws -> Bool {
    var found = false
    if hidden.contains(id) { return false }
    try withReader { found = try $0.row(type, id, body) }
    return found
  }

  func count(_ selection: Selection) throws -> Int {
    let selection = try broken(selection, isCount: true)
    var count = 0
    try withReader { count = try $0.count(selection) }
    return count
  }

  func explain(_ selection: Selection) throws -> QueryPlan { try reader.explain(selection) }

  var rowsRead: Int { reader.rowsRead + (fault.readsEverything ? 100_000 : 0) }

  // MARK: History

  func historyHead() throws -> HistoryHead {
    var head: HistoryHead?
    try withReader { head = try $0.historyHead() }
    guard var head else { throw StorageError(.internalError, "The engine has not run the read.") }
    head.token.sequence += sequencesAdded
    return fault.history.head?(head) ?? head
  }

  func historyOldest() throws -> Int64 {
    if fault.maintenance.repair == .keepsTokens, tokenBeforeRepair != nil { return 1 }
    var oldest: Int64 = 0
    try withReader { oldest = try $0.historyOldest() }
    oldest = max(oldest, firstSequence + 1)
    return fault.history.oldest?(oldest) ?? oldest
  }

  func historyCheck(at sequence: Int64) throws -> UInt64? {
    var check: UInt64?
    try withReader { check = try $0.historyCheck(at: sequence) }
    if fault.maintenance.repair == .keepsTokens, let token = tokenBeforeRepair, token.sequence == sequence {
      check = token.check
    }
    return fault.history.check.map { $0(check, sequence) } ?? check
  }

  func historyBranch() throws -> Int64 {
    var branch: Int64 = 0
    try withReader { branch = try $0.historyBranch() }
    if fault.maintenance.repair == .losesTokens, tokenBeforeRepair != nil { return .max }
    return fault.maintenance.keepsBranch ? 0 : branch
  }

  func changes(after sequence: Int64, _ body: (HistoryChange, borrowing RowView) throws -> Bool) throws {
    let history = fault.history
    let start = max(sequence - (history.repeatsPlace ? 1 : 0), firstSequence)
    try withReader { reader in
      try reader.changes(after: start) { change, row in
        guard let change = history.entry.map({ $0(change) }) ?? change else { return true }
        return try history.withRow(change, row, in: reader, body)
      }
    }
  }

  func transactions(
    after sequence: Int64, newestFirst: Bool, _ body: (HistoryTransaction) throws -> Bool
  ) throws {
    let history = fault.history
    let start = max(sequence, firstSequence)
    try withReader { reader in
      try reader.transactions(after: start, newestFirst: newestFirst && !history.ignoresOrder) { transaction in
        guard let transaction = history.transaction.map({ $0(transaction) }) ?? transaction else { return true }
        return try body(transaction)
      }
    }
  }

  // MARK: Writing

  func insert(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws {
    try perform(.insert(type, try Self.values(type, fill)))
  }

  func update(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> Bool {
    try perform(.update(type, try Self.values(type, fill))) && !fault.deniesWhatWasThere
  }

  func delete(_ type: RecordType, _ id: UUID) throws -> Bool {
    try perform(.delete(type, id)) && !fault.deniesWhatWasThere
  }

  /// Returns whether there was a record.
  @discardableResult
  func perform(_ operation: Operation) throws -> Bool {
    guard let writer else {
      postponed.append(operation)
      return true
    }
    changes += 1
    if changes > fault.changesMax { return true }
    switch operation {
    case .insert(let type, let values):
      let values = fault.written?(values, nil, type) ?? values
      if case .uuid(let id) = values[0] { inserted.insert(id) }
      if fault.overwritesDuplicates, try writer.update(type, Self.fill(values)) { return false }
      try writer.insert(type, Self.fill(values))
      return false
    case .update(let type, let values):
      guard let change = fault.written, case .uuid(let id) = values[0] else {
        return try writer.update(type, Self.fill(values))
      }
      var old: [StoredValue]?
      _ = try writer.row(type, id) { old = try Self.values(type, $0) }
      return try writer.update(type, Self.fill(change(values, old, type)))
    case .delete(let type, let id):
      return fault.forgetsDeletes ? try writer.row(type, id) { _ in } : try writer.delete(type, id)
    }
  }

  private static func fill(_ values: [StoredValue]) -> (inout RowWriter) -> Void {
    { row in for value in values { value.encode(into: &row) } }
  }

  private static func values(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> [StoredValue] {
    var writer = RowWriter(columns: type.fields.count, listEncoding: .messagePack)
    writer.begin()
    fill(&writer)
    do {
      return try writer.finish { try values(type, $0) }
    } catch let error as RowError {
      throw StorageError(invalid: type, error)
    }
  }

  private static func values(_ type: RecordType, _ row: borrowing RowView) throws -> [StoredValue] {
    var values: [StoredValue] = []
    for (column, field) in type.fields.enumerated() {
      values.append(try StoredValue.decode(row, column, as: field.type))
    }
    return values
  }
}

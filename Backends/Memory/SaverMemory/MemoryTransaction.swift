import FoundationEssentials
import SaverCore

/// Reads and writes a copy of the tables. Every selection looks at every row, on purpose: nothing here can be clever and
/// wrong.
final class MemoryTransaction: EngineWriteTransaction {
  // MARK: Mutable state
  // Owned by the thread of the transaction.
  private(set) var tables: MemoryTables
  private(set) var rowsRead = 0
  /// What this transaction has changed so far.
  private(set) var changes: [MemoryHistory.Entry] = []
  /// The rows whose earlier content the history is to lose.
  private(set) var forgotten: Set<MemoryHistory.Subject> = []

  let identity: UUID
  /// As it was when the transaction began.
  let history: MemoryHistory
  private let keepsRows: Bool

  init(_ state: MemoryState, _ identity: UUID, keepsRows: Bool = true) {
    tables = state.tables
    history = state.history
    self.identity = identity
    self.keepsRows = keepsRows
  }

  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws {
    for row in try rows(selection) where try !row.withView(body) { return }
  }

  func count(_ selection: Selection) throws -> Int {
    try rows(selection).count
  }

  func row(_ type: RecordType, _ id: UUID, _ body: (borrowing RowView) throws -> Void) throws -> Bool {
    guard let row = tables[type.name]?[id] else { return false }
    rowsRead += 1
    try row.withView(body)
    return true
  }

  func explain(_ selection: Selection) throws -> QueryPlan {
    QueryPlan(index: nil, pushed: [], residual: selection.filter.conjuncts, isOrderedByIndex: false)
  }

  /// The rows of a selection: filtered, sorted, then cut.
  private func rows(_ selection: Selection) throws -> [StoredRow] {
    let filter = try CompiledFilter(selection.filter, selection.type)
    let all = tables[selection.type.name] ?? [:]
    rowsRead += all.count
    var found: [(key: [UInt8], row: StoredRow)] = []
    for row in all.values {
      row.withView { view in
        if filter.matches(view) { found.append((Self.key(view, selection), row)) }
      }
    }
    if let position = selection.after {
      let key = Self.key(of: position, selection)
      found.removeAll { !key.lexicographicallyPrecedes($0.key) }
    }
    found.sort { $0.key.lexicographicallyPrecedes($1.key) }
    return found.dropFirst(selection.offset).prefix(selection.limit ?? .max).map(\.row)
  }

  private static func key(_ row: borrowing RowView, _ selection: Selection) -> [UInt8] {
    var key = TupleBuffer()
    for sort in selection.order {
      key.append(
        row[slot: sort.column], as: selection.type.type(ofColumn: sort.column), descending: sort.descending)
    }
    return Array(key.bytes)
  }

  private static func key(of position: [StoredValue], _ selection: Selection) -> [UInt8] {
    var key = TupleBuffer()
    for (sort, value) in zip(selection.order, position) {
      key.append(value, as: selection.type.type(ofColumn: sort.column), descending: sort.descending)
    }
    return Array(key.bytes)
  }

  // MARK: Writing

  func insert(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws {
    let (id, row) = try written(type, fill)
    guard tables[type.name]?[id] == nil else { throw StorageError.duplicateID(id, type) }
    tables[type.name, default: [:]][id] = row
    note(.insert, type, id, nil)
  }

  func update(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> Bool {
    let (id, row) = try written(type, fill)
    guard let old = tables[type.name]?.updateValue(row, forKey: id) else {
      tables[type.name]?[id] = nil
      return false
    }
    note(.update, type, id, old)
    return true
  }

  func delete(_ type: RecordType, _ id: UUID) throws -> Bool {
    guard let old = tables[type.name]?.removeValue(forKey: id) else { return false }
    note(.delete, type, id, old)
    return true
  }

  /// Removes a row and what the history has of it; returns whether there was any such thing.
  func forget(_ type: RecordType, _ id: UUID) -> Bool {
    let isThere = tables[type.name]?.removeValue(forKey: id) != nil
    guard isThere || history.mentions(type.name, id) else { return false }
    note(.delete, type, id, nil)
    forgotten.insert(MemoryHistory.Subject(type: type.name, id: id))
    return true
  }

  private func note(_ kind: HistoryChange.Kind, _ type: RecordType, _ id: UUID, _ old: StoredRow?) {
    let sequence = history.lastSequence + Int64(changes.count) + 1
    let change = HistoryChange(sequence: sequence, type: type.name, id: id, kind: kind)
    changes.append(MemoryHistory.Entry(change: change, row: keepsRows ? old : nil))
  }

  private func written(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> (UUID, StoredRow) {
    var writer = RowWriter(columns: type.fields.count, listEncoding: .messagePack)
    writer.begin()
    fill(&writer)
    do {
      return try writer.finish { row in (try row[0], StoredRow(copying: row)) }
    } catch let error as RowError {
      throw StorageError(invalid: type, error)
    }
  }
}

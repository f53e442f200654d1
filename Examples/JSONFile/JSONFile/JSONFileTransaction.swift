import FoundationEssentials
import SaverCore

/// Reads and writes a copy of the document. Every selection looks at every row.
final class JSONFileTransaction: EngineWriteTransaction {
  // MARK: Mutable state
  // Owned by the thread of the transaction.
  private(set) var document: Document
  private(set) var rowsRead = 0
  /// What this transaction has changed so far.
  private(set) var changes: [History.Entry] = []

  let revision: UInt64
  /// Keeps what the snapshot holds.
  let snapshot: Snapshot
  private let keepsRows: Bool
  /// The record types that the program has.
  let knownTypes: Set<String>

  /// As it was when the transaction began.
  var history: History { snapshot.document.history }
  var identity: UUID { snapshot.document.identity }

  init(_ snapshot: Snapshot, types: [RecordType], keepsRows: Bool = true) {
    knownTypes = Set(types.map(\.name))
    self.snapshot = snapshot
    document = snapshot.document
    revision = snapshot.revision
    self.keepsRows = keepsRows
  }

  // MARK: Reading

  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws {
    for row in try rows(selection) where try !row.stored.withView(body) { return }
  }

  func count(_ selection: Selection) throws -> Int {
    try rows(selection).count
  }

  func row(_ type: RecordType, _ id: UUID, _ body: (borrowing RowView) throws -> Void) throws -> Bool {
    guard let row = document.tables[type.name]?.rows[id] else { return false }
    rowsRead += 1
    try row.stored.withView(body)
    return true
  }

  func explain(_ selection: Selection) throws -> QueryPlan {
    QueryPlan(index: nil, pushed: [], residual: selection.filter.conjuncts, isOrderedByIndex: false)
  }

  /// The rows of a selection: filtered, sorted by keys whose bytes are in order, then cut.
  private func rows(_ selection: Selection) throws -> [Row] {
    let filter = try CompiledFilter(selection.filter, selection.type)
    let all = document.tables[selection.type.name]?.rows ?? [:]
    rowsRead += all.count
    var found: [(key: [UInt8], row: Row)] = []
    for row in all.values {
      row.stored.withView { view in
        if filter.matches(view) { found.append((Self.key(of: view, selection), row)) }
      }
    }
    if let position = selection.after {
      let key = Self.key(of: position, selection)
      found.removeAll { !key.lexicographicallyPrecedes($0.key) }
    }
    found.sort { $0.key.lexicographicallyPrecedes($1.key) }
    return found.dropFirst(selection.offset).prefix(selection.limit ?? .max).map(\.row)
  }

  private static func key(of row: borrowing RowView, _ selection: Selection) -> [UInt8] {
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
    let row = try written(type, fill)
    let id = try row.id
    guard document.tables[type.name]?.rows[id] == nil else { throw StorageError.duplicateID(id, type) }
    document.tables[type.name, default: Document.Table()].rows[id] = row
    note(.insert, type, id, nil)
  }

  func update(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> Bool {
    let row = try written(type, fill)
    let id = try row.id
    guard let old = document.tables[type.name]?.rows[id] else { return false }
    document.tables[type.name]?.rows[id] = row
    note(.update, type, id, old)
    return true
  }

  func delete(_ type: RecordType, _ id: UUID) throws -> Bool {
    guard let old = document.tables[type.name]?.rows.removeValue(forKey: id) else { return false }
    note(.delete, type, id, old)
    return true
  }

  private func note(_ kind: HistoryChange.Kind, _ type: RecordType, _ id: UUID, _ old: Row?) {
    let sequence = history.lastSequence + Int64(changes.count) + 1
    changes.append(History.Entry(sequence, type: type.name, id: id, kind, keepsRows ? old : nil))
  }

  private func written(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> Row {
    do {
      return try Row(columns: type.fields.count) { fill(&$0) }
    } catch let error as RowError {
      throw StorageError(invalid: type, error)
    }
  }
}

import FoundationEssentials
import SaverCore
import SaverMemory

/// A record for undo: what is put back is compared as a whole.
struct Page: Record, Hashable {
  let id: UUID
  var title: String?
  var tags: [String]
  var size: Int

  static let schema = Schema(
    "page", version: 1,
    Field("id", \Self.id),
    Field("title", \.title),
    Field("tags", \.tags, default: []),
    Field("size", \.size, default: 0),
    make: Page.init(id:title:tags:size:))

  init(id: UUID = .version7(), title: String? = "title", tags: [String] = ["a", "b"], size: Int = 1) {
    self.id = id
    self.title = title
    self.tags = tags
    self.size = size
  }
}

/// A store on the memory engine in which the name of an operation says who wrote it.
///
/// - `theirs`: another user.
/// - `foreign`: a program that does not use the library; there is an entry that says so.
/// - `uncovered`: the same, and no transaction has an entry for it yet.
/// - `unknown`: something that the history does not tell of.
final class PageStore {
  let store: Store
  static let user = ProcessUser.identifier
  static let otherUser = ProcessUser.identifier + 1

  init(history: HistoryRetention = HistoryRetention(), hasUnknownChanges: Bool = false) throws {
    let location = StoreLocation(base: "", history: history)
    let memory = try MemoryBackend.open(
      location, types: [Page.schema.type], configuration: MemoryBackend.defaultConfiguration)
    store = Store(ReinterpretedEngine(memory.engine, hasUnknownChanges: hasUnknownChanges))
  }

  func insert(_ pages: Page..., as operation: WriteOperation = WriteOperation("share")) throws {
    try store.write(operation) { for page in pages { try $0.insert(page) } }
  }

  func update(
    _ page: Page, _ operation: WriteOperation = WriteOperation("edit"), _ change: (inout Page) -> Void
  ) throws {
    try store.write(operation) {
      var page = try $0.record(Page.self, id: page.id) ?? page
      change(&page)
      try $0.update(page)
    }
  }

  func delete(_ pages: Page..., as operation: WriteOperation = WriteOperation("delete")) throws {
    try store.write(operation) { for page in pages { try $0.delete(Page.self, id: page.id) } }
  }

  @discardableResult
  func undo() throws -> UndoOutcome { try store.undo(of: [Page.schema.type]) }
  @discardableResult
  func redo() throws -> UndoOutcome { try store.redo(of: [Page.schema.type]) }
  func undoable() throws -> [UndoableOperation] { try store.undoableOperations(of: [Page.schema.type]) }

  var pages: Set<Page> {
    get throws { Set(try store.read { try $0.fetch(Query<Page>()) }) }
  }
}

extension UndoOutcome {
  /// The name of what was taken back.
  var doneName: String? {
    if case .done(let operation, _) = self { operation.name } else { nil }
  }

  var conflicts: [UndoConflict]? {
    if case .refused(let operation) = self { operation.conflicts } else { nil }
  }
}

/// The memory engine, telling its history as ``PageStore`` says.
private final class ReinterpretedEngine: Engine {
  private let engine: any Engine
  private let hasUnknownChanges: Bool

  init(_ engine: any Engine, hasUnknownChanges: Bool) {
    self.engine = engine
    self.hasUnknownChanges = hasUnknownChanges
  }

  var identity: UUID { engine.identity }
  var path: String? { engine.path }
  var capabilities: StoreCapabilities { engine.capabilities }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    // The memory engine's transactions can write, into nothing if they were begun for reading.
    try engine.read { transaction in
      guard let writing = transaction as? any EngineWriteTransaction else { return }
      try body(ReinterpretedTransaction(writing, hasUnknownChanges))
    }
  }

  func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws {
    try engine.write(operation) { try body(ReinterpretedTransaction($0, hasUnknownChanges)) }
  }

  func makeWatcher() throws -> any EngineWatcher { try engine.makeWatcher() }
  func makeWakeSource() -> any WakeSource { engine.makeWakeSource() }

  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    try engine.inspect(checkingIntegrity: checkingIntegrity)
  }

  func backUp(to base: String, overwriting: Bool) throws -> BackupReport {
    try engine.backUp(to: base, overwriting: overwriting)
  }
  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
    try engine.restore(from: base, overwriting: overwriting, operation)
  }
  func compact() throws -> CompactionReport { try engine.compact() }
  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
    try engine.forget(type, ids, operation)
  }
}

private final class ReinterpretedTransaction: EngineWriteTransaction {
  private let engine: any EngineWriteTransaction
  private let hasUnknownChanges: Bool

  init(_ engine: any EngineWriteTransaction, _ hasUnknownChanges: Bool) {
    self.engine = engine
    self.hasUnknownChanges = hasUnknownChanges
  }

  // MARK: The history

  func historyHead() throws -> HistoryHead {
    var head = try engine.historyHead()
    head.hasUnknownChanges = hasUnknownChanges
    return head
  }

  func historyCheck(at sequence: Int64) throws -> UInt64? { try engine.historyCheck(at: sequence) }
  func historyOldest() throws -> Int64 { try engine.historyOldest() }
  func historyBranch() throws -> Int64 { try engine.historyBranch() }

  func changes(after sequence: Int64, _ body: (HistoryChange, borrowing RowView) throws -> Bool) throws {
    var unknown: [ClosedRange<Int64>] = []
    try engine.transactions(after: 0, newestFirst: false) { transaction in
      if transaction.operation?.name == "unknown" { unknown.append(transaction.sequences) }
      return true
    }
    let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    try engine.changes(after: sequence) { change, row in
      if unknown.contains(where: { $0.contains(change.sequence) }) {
        let change = HistoryChange(sequence: change.sequence, type: "", id: zero, kind: .unknown)
        return try body(change, RowView.empty)
      }
      return try body(change, row)
    }
  }

  func transactions(after sequence: Int64, newestFirst: Bool, _ body: (HistoryTransaction) throws -> Bool) throws {
    try engine.transactions(after: sequence, newestFirst: newestFirst) { transaction in
      var transaction = transaction
      switch transaction.operation?.name {
      case "uncovered": return true
      case "theirs": transaction.user = PageStore.otherUser
      case "foreign", "unknown":
        transaction.author = .foreign
        transaction.user = nil
        transaction.operation = nil
      default: break
      }
      return try body(transaction)
    }
  }

  // MARK: All else

  var rowsRead: Int { engine.rowsRead }

  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws {
    try engine.scan(selection, body)
  }

  func row(_ type: RecordType, _ id: UUID, _ body: (borrowing RowView) throws -> Void) throws -> Bool {
    try engine.row(type, id, body)
  }

  func count(_ selection: Selection) throws -> Int { try engine.count(selection) }
  func explain(_ selection: Selection) throws -> QueryPlan { try engine.explain(selection) }
  func insert(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws { try engine.insert(type, fill) }
  func update(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> Bool { try engine.update(type, fill) }
  func delete(_ type: RecordType, _ id: UUID) throws -> Bool { try engine.delete(type, id) }
}

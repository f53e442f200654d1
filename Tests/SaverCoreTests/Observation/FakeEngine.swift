import Foundation
import SaverCore

/// An engine that says what a test wants it to say.
final class FakeEngine: Engine {
  struct State: Sendable {
    var head: HistoryHead
    var checks: [Int64: UInt64] = [:]
    var branch: Int64 = 0
    var changes: [HistoryChange] = []
    /// What the next looks after the store find; `unchanged` when there are none left.
    var places: [Result<StorePlace, StorageError>] = []
    var oldest: Int64 = 1
    /// What the next reads throw.
    var readErrors: [StorageError] = []
    /// What reading the changes throws, once.
    var changesError: StorageError?
    var watcherErrors: [StorageError] = []
    var looks = 0
    var reads = 0
    var readsAtOnce = 0
    var watchers = 0
  }

  static let store = UUID()
  let state: Guarded<State>
  let source = FakeWakeSource()

  init() {
    state = Guarded(State(head: HistoryHead(token: .beginning(of: Self.store), revision: 1)))
  }

  /// Adds entries to the history and moves the head behind them.
  func commit(_ changes: (type: String, id: UUID, kind: HistoryChange.Kind)...) {
    state.withLock { state in
      for change in changes {
        let sequence = state.head.token.sequence + 1
        state.changes.append(
          HistoryChange(sequence: sequence, type: change.type, id: change.id, kind: change.kind))
        state.head.token = HistoryToken(store: Self.store, sequence: sequence, check: UInt64(sequence) * 7)
        state.checks[sequence] = UInt64(sequence) * 7
      }
      state.head.revision += 1
    }
  }
  func set(_ body: @Sendable (inout State) -> Void) { state.withLock { body(&$0) } }

  var identity: UUID { Self.store }
  let path: String? = "/nowhere/store"
  let capabilities = StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: true)

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    if let error = state.withLock({ $0.readErrors.isEmpty ? nil : $0.readErrors.removeFirst() }) { throw error }
    state.withLock {
      $0.reads += 1
      $0.readsAtOnce += 1
    }
    defer { state.withLock { $0.readsAtOnce -= 1 } }
    try body(FakeTransaction(self, state.withLock { $0 }))
  }
  func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws {
    throw StorageError(.internalError, "not written")
  }
  func makeWatcher() throws -> any EngineWatcher {
    if let error = state.withLock({ $0.watcherErrors.isEmpty ? nil : $0.watcherErrors.removeFirst() }) { throw error }
    state.withLock { $0.watchers += 1 }
    return FakeWatcher(self)
  }
  func makeWakeSource() -> any WakeSource { source }
  func inspect(checkingIntegrity: Bool) throws -> StoreInspection { StoreInspection(formatVersion: 1, files: []) }
  func backUp(to base: String, overwriting: Bool) throws -> BackupReport { BackupReport(path: base, size: 0) }
  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
    RestoreReport(path: base)
  }
  func compact() throws -> CompactionReport { CompactionReport(bytesBefore: 0, bytesAfter: 0) }
  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
    ForgettingReport(forgotten: ids)
  }
}

final class FakeWatcher: EngineWatcher {
  private let engine: FakeEngine
  init(_ engine: FakeEngine) { self.engine = engine }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws { try engine.read(body) }
  func lookAfterStore() throws -> StorePlace {
    try engine.state.withLock { state in
      state.looks += 1
      return try state.places.isEmpty ? .unchanged : state.places.removeFirst().get()
    }
  }
}

final class FakeTransaction: EngineReadTransaction {
  private let engine: FakeEngine
  private let state: FakeEngine.State
  init(_ engine: FakeEngine, _ state: FakeEngine.State) {
    self.engine = engine
    self.state = state
  }

  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws {}
  func row(_ type: RecordType, _ id: UUID, _ body: (borrowing RowView) throws -> Void) throws -> Bool { false }
  func count(_ selection: Selection) throws -> Int { 0 }
  func explain(_ selection: Selection) throws -> QueryPlan {
    QueryPlan(index: nil, pushed: [], residual: [], isOrderedByIndex: false)
  }
  func historyHead() throws -> HistoryHead { state.head }
  func historyCheck(at sequence: Int64) throws -> UInt64? { sequence < state.oldest ? nil : state.checks[sequence] }
  func historyOldest() throws -> Int64 { state.oldest }
  func historyBranch() throws -> Int64 { state.branch }
  func changes(after sequence: Int64, _ body: (HistoryChange, borrowing RowView) throws -> Bool) throws {
    if let error = state.changesError {
      engine.set { $0.changesError = nil }
      throw error
    }
    for change in state.changes where change.sequence > sequence {
      if try !body(change, RowView.empty) { return }
    }
  }
  func transactions(after sequence: Int64, newestFirst: Bool, _ body: (HistoryTransaction) throws -> Bool) throws {}
  var rowsRead: Int { 0 }
}

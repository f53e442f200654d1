import FoundationEssentials
import Glibc
import SaverCore
import Synchronization

/// All rows, by record type and id.
typealias MemoryTables = [String: [UUID: StoredRow]]

/// What is committed. A value: a snapshot is a copy.
struct MemoryState {
  var tables = MemoryTables()
  var history = MemoryHistory()
}

final class MemoryEngine: Engine {
  let identity = UUID.version7()
  let path: String? = nil
  let capabilities = StoreCapabilities(isShared: false, isPersistent: false, acceptsForeignWriters: false)

  // MARK: Mutable state
  /// What is committed. Held for as long as it takes to copy or replace the value.
  private let committed = Guarded(MemoryState())
  /// Held by the one writer for the whole of its transaction.
  private let writing = Monitor()
  /// The thread that holds `writing`, or 0: to find a write within a write.
  private let writer = Atomic<UInt>(0)

  private let types: [RecordType]
  private let retention: HistoryRetention

  init(types: [RecordType], retention: HistoryRetention) {
    self.types = types
    self.retention = retention
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    try body(MemoryTransaction(committed.withLock { $0 }, identity))
  }

  func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws {
    let thread = UInt(pthread_self())
    precondition(writer.load(ordering: .relaxed) != thread, "a write within a write of the same store")
    try writing.withLock {
      writer.store(thread, ordering: .relaxed)
      defer { writer.store(0, ordering: .relaxed) }
      let transaction = MemoryTransaction(committed.withLock { $0 }, identity, keepsRows: retention.keepsRows)
      try body(transaction)
      committed.withLock {
        $0.tables = transaction.tables
        $0.history.forget(transaction.forgotten)
        $0.history.append(transaction.changes, operation, retention)
      }
    }
  }

  func makeWatcher() -> any EngineWatcher { MemoryWatcher(self) }

  /// Nobody but this process writes here, and it says so.
  func makeWakeSource() -> any WakeSource { TimedWakeSource() }

  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    let tables = committed.withLock { $0.tables }
    var inspection = StoreInspection(formatVersion: 1, files: [])
    inspection.rows = types.map { ($0.name, tables[$0.name]?.count ?? 0) }
    return inspection
  }
}

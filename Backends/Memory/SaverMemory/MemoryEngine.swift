import FoundationEssentials
import Glibc
import SaverCore
import Synchronization

/// All rows, by record type and id. A value: a snapshot is a copy.
typealias MemoryTables = [String: [UUID: MemoryRow]]

final class MemoryEngine: Engine {
  let identity = UUID.version7()
  let path: String? = nil
  let capabilities = StoreCapabilities(isShared: false, isPersistent: false, acceptsForeignWriters: false)

  // MARK: Mutable state
  /// What is committed. Held for as long as it takes to copy or replace the value.
  private let committed = Mutex(MemoryTables())
  /// Held by the one writer for the whole of its transaction.
  private let writing = Mutex(())
  /// The thread that holds `writing`, or 0: to find a write within a write.
  private let writer = Atomic<UInt>(0)

  private let types: [RecordType]

  init(types: [RecordType]) {
    self.types = types
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    try body(MemoryTransaction(committed.withLock { $0 }))
  }

  func write(_ body: (any EngineWriteTransaction) throws -> Void) throws {
    let thread = UInt(pthread_self())
    precondition(writer.load(ordering: .relaxed) != thread, "a write within a write of the same store")
    try writing.withLock { _ in
      writer.store(thread, ordering: .relaxed)
      defer { writer.store(0, ordering: .relaxed) }
      let transaction = MemoryTransaction(committed.withLock { $0 })
      try body(transaction)
      committed.withLock { $0 = transaction.tables }
    }
  }

  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    let tables = committed.withLock { $0 }
    let facts = types.map { (name: "rows of \($0.name)", value: "\(tables[$0.name]?.count ?? 0)") }
    return StoreInspection(formatVersion: 0, files: [], facts: facts)
  }
}

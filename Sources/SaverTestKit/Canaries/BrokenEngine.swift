import FoundationEssentials
import SaverCore
import Synchronization

/// A sound engine behind a fault.
final class BrokenEngine: Engine {
  private let sound: any Engine
  private let fault: Fault
  private let ownIdentity = UUID.version7()

  // MARK: Mutable state
  /// What the last transaction inserted; for reads that are stale.
  private let hidden = Mutex<Set<UUID>>([])

  static func store(_ store: Store, _ fault: Fault) -> Store {
    Store(BrokenEngine(store.engine, fault))
  }

  private init(_ sound: any Engine, _ fault: Fault) {
    self.sound = sound
    self.fault = fault
  }

  var identity: UUID { fault.changesIdentity ? ownIdentity : sound.identity }
  var path: String? { sound.path }
  var capabilities: StoreCapabilities { sound.capabilities }

  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    try sound.inspect(checkingIntegrity: checkingIntegrity)
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    try sound.read { transaction in
      let reader = BrokenTransaction(transaction, sound, fault)
      if fault.reading == .latest { reader.asksTheEngine = true }
      if fault.reading == .stale { reader.hidden = hidden.withLock { $0 } }
      try body(reader)
    }
  }

  func write(_ body: (any EngineWriteTransaction) throws -> Void) throws {
    if fault.losesUpdatesOfOthers { return try writeLate(body) }
    var failure: (any Error)?
    try sound.write { transaction in
      let writer = BrokenTransaction(transaction, sound, fault, writer: transaction)
      writer.asksTheEngine = fault.hidesOwnWrites
      do {
        try body(writer)
      } catch {
        guard fault.keepsRolledBack else { throw error }
        failure = error
      }
      hidden.withLock { $0 = writer.inserted }
    }
    if let failure { throw failure }
  }

  /// Decides on a snapshot, and writes later what was decided.
  private func writeLate(_ body: (any EngineWriteTransaction) throws -> Void) throws {
    var postponed: [BrokenTransaction.Operation] = []
    try sound.read { transaction in
      let writer = BrokenTransaction(transaction, sound, fault)
      try body(writer)
      postponed = writer.postponed
    }
    try sound.write { transaction in
      let writer = BrokenTransaction(transaction, sound, fault, writer: transaction)
      for operation in postponed { try writer.perform(operation) }
    }
  }
}

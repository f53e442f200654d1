import FoundationEssentials
import SaverCore

/// A sound engine behind a fault.
final class BrokenEngine: Engine {
  let sound: any Engine
  let fault: Fault
  private let ownIdentity = UUID.version7()

  // MARK: Mutable state
  /// What the last transaction inserted; for reads that are stale.
  private let hidden = Guarded<Set<UUID>>([])
  /// How many writes failed, or changed nothing; for a history that counts them.
  private let failedWrites = Guarded<Int64>(0)
  /// Where the history ended before the store was mended first.
  private let tokenBeforeRepair = Guarded<HistoryToken?>(nil)
  /// The sequence at which the store was opened; for a history that begins there.
  private let firstSequence: Int64

  static func store(_ store: Store, _ fault: Fault) -> Store {
    Store(BrokenEngine(store.engine, fault))
  }

  private init(_ sound: any Engine, _ fault: Fault) {
    self.sound = sound
    self.fault = fault
    firstSequence = (try? Store(sound).read { try $0.token().sequence }) ?? 0
  }

  var identity: UUID { fault.changesIdentity ? ownIdentity : sound.identity }
  var path: String? { sound.path }
  var capabilities: StoreCapabilities { sound.capabilities }

  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    try sound.inspect(checkingIntegrity: checkingIntegrity)
  }

  func repair() throws -> [String] {
    guard let repair = fault.maintenance.repair else { return try sound.repair() }
    let token = try? Store(sound).read { try $0.token() }
    tokenBeforeRepair.withLock { $0 = $0 ?? token }
    return try repair.repair(sound, fault.maintenance.types)
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    try sound.read { try body(broken($0)) }
  }

  /// A sound snapshot as the fault shows it.
  func broken(_ transaction: any EngineReadTransaction) -> any EngineReadTransaction {
    let reader = BrokenTransaction(transaction, sound, fault)
    if fault.reading == .latest { reader.asksTheEngine = true }
    if fault.reading == .stale { reader.hidden = hidden.withLock { $0 } }
    if fault.history.countsFailedWrites { reader.sequencesAdded = failedWrites.withLock { $0 } }
    if fault.maintenance.repair != nil { reader.tokenBeforeRepair = tokenBeforeRepair.withLock { $0 } }
    if fault.history.forgetsWhenOpened { reader.firstSequence = firstSequence }
    return reader
  }

  func makeWatcher() throws -> any EngineWatcher { BrokenWatcher(try sound.makeWatcher(), self) }
  func makeWakeSource() -> any WakeSource {
    fault.isDeaf ? DeafSource(sound.makeWakeSource()) : sound.makeWakeSource()
  }

  func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws {
    if fault.losesUpdatesOfOthers { return try writeLate(operation, body) }
    let operation = fault.history.forgetsOperation ? WriteOperation() : operation
    var failure: (any Error)?
    try sound.write(operation) { transaction in
      failedWrites.withLock { $0 += 1 }
      let writer = BrokenTransaction(transaction, sound, fault, writer: transaction)
      writer.asksTheEngine = fault.hidesOwnWrites
      do {
        try body(writer)
      } catch {
        guard fault.keepsRolledBack else { throw error }
        failure = error
      }
      hidden.withLock { $0 = writer.inserted }
      if writer.hasChanged { failedWrites.withLock { $0 -= 1 } }
    }
    if let failure { throw failure }
  }

  /// Decides on a snapshot, and writes later what was decided.
  private func writeLate(
    _ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void
  ) throws {
    var postponed: [BrokenTransaction.Operation] = []
    try sound.read { transaction in
      let writer = BrokenTransaction(transaction, sound, fault)
      try body(writer)
      postponed = writer.postponed
    }
    try sound.write(operation) { transaction in
      let writer = BrokenTransaction(transaction, sound, fault, writer: transaction)
      for change in postponed { try writer.perform(change) }
    }
  }
}

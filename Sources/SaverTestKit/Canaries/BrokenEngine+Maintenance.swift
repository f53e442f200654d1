import FoundationEssentials
import SaverCore

/// Where a fault takes hold of the care of a store. What is `false` is left as it is.
struct MaintenanceFault: Sendable {
  /// Replaces what a backup must not.
  var overwritesFiles = false
  /// Replaces records that a restore must not.
  var overwritesRecords = false
  /// Takes a restored store for the branch that it was before.
  var keepsBranch = false
  /// Deletes what is to be forgotten, like anything else.
  var onlyDeletes = false
  /// Says that what is to be forgotten was, and does nothing.
  var forgetsNobody = false
  var copy: CopyFault?
  var repair: RepairFault?
  /// The record types that a broken repair changes records of.
  var types = Trial.world
}

extension BrokenEngine {
  func backUp(to base: String, overwriting: Bool) throws -> BackupReport {
    try sound.backUp(to: base, overwriting: overwriting || fault.maintenance.overwritesFiles)
  }

  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
    try sound.restore(from: base, overwriting: overwriting || fault.maintenance.overwritesRecords, operation)
  }

  func compact() throws -> CompactionReport { try sound.compact() }

  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
    if fault.maintenance.forgetsNobody { return ForgettingReport(forgotten: ids) }
    guard fault.maintenance.onlyDeletes else { return try sound.forget(type, ids, operation) }
    try sound.write(operation) { transaction in
      for id in ids { _ = try transaction.delete(type, id) }
    }
    return ForgettingReport(forgotten: ids)
  }
}

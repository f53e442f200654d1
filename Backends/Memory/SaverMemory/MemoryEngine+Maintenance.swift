import FoundationEssentials
import SaverCore

/// There is no file: nothing to back up, nothing that could grow, and what is let go of is gone.
extension MemoryEngine {
  func backUp(to base: String, overwriting: Bool) throws -> BackupReport {
    preconditionFailure("the capabilities say that there are no backups")
  }

  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
    preconditionFailure("the capabilities say that there are no backups")
  }

  func compact() -> CompactionReport { CompactionReport(bytesBefore: 0, bytesAfter: 0) }

  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
    var forgotten: [UUID] = []
    try write(operation) { transaction in
      guard let transaction = transaction as? MemoryTransaction else { return }
      for id in ids where !forgotten.contains(id) && transaction.forget(type, id) { forgotten.append(id) }
    }
    return ForgettingReport(forgotten: forgotten)
  }
}

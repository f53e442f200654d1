#if SQLite
import FoundationEssentials
import SaverCore

extension SQLiteEngine {
  func backUp(to base: String, overwriting: Bool) throws -> BackupReport { throw notYet }

  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
    throw notYet
  }

  func compact() throws -> CompactionReport { throw notYet }

  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
    throw notYet
  }

  private var notYet: StorageError {
    StorageError(.unsupported, "This engine cannot do that yet.", path: path)
  }
}
#endif

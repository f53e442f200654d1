import FoundationEssentials
import SaverCore

/// Every commit writes a new file, and nothing but what counts: there is nothing to give back, and no trace of what is
/// gone.
extension JSONFileEngine {
  func backUp(to base: String, overwriting: Bool) throws -> BackupReport {
    let path = StoreLocation(base: base).path(withExtension: "json")
    let document = try snapshot().document
    try NewFile.make(at: path, overwriting: overwriting, sparing: try file.identity()) {
      try document.write(to: $0.temporary.path, indented: isIndented)
    }
    return BackupReport(path: path, size: size(of: StoreFile(path: path)))
  }

  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport {
    let source = try StoreFile.backup(at: base, withExtension: "json", notBeing: try file.identity())
    var restored = try Snapshot(path: source.path, revision: 0).document
    _ = try restored.migrate(to: types, path: source.path)
    try lock.withLock(until: Deadline(milliseconds: busyTimeoutMilliseconds)) {
      let replaced = try snapshot().document
      guard overwriting || replaced.tables.values.allSatisfy({ $0.rows.isEmpty }) else {
        throw StorageError.notEmpty(path: path)
      }
      restored.identity = replaced.identity
      restored.beginBranch(behind: replaced.history, operation)
      try commit(restored)
    }
    NotifyFile.touch(notifyPath)
    return RestoreReport(path: source.path)
  }

  func compact() -> CompactionReport {
    CompactionReport(bytesBefore: size(of: file), bytesAfter: size(of: file))
  }

  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
    var forgotten: [UUID] = []
    try lock.withLock(until: Deadline(milliseconds: busyTimeoutMilliseconds)) {
      var document = try snapshot().document
      for id in ids where !forgotten.contains(id) && document.forget(type.name, id) { forgotten.append(id) }
      if forgotten.isEmpty { return }
      var entries: [History.Entry] = []
      for id in forgotten {
        let sequence = document.history.lastSequence + Int64(entries.count) + 1
        entries.append(History.Entry(sequence, type: type.name, id: id, .delete, nil))
      }
      document.history.append(entries, operation, retention)
      try commit(document)
    }
    if !forgotten.isEmpty { NotifyFile.touch(notifyPath) }
    return ForgettingReport(forgotten: forgotten)
  }

  private func size(of file: StoreFile) -> Int {
    if case .file(let size, _) = file.status { Int(size) } else { 0 }
  }
}

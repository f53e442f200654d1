public import FoundationEssentials

/// The care of a store. All of it may happen while others read, write and watch; all of it blocks, some of it for as long
/// as it takes to copy the store.
extension Store {
  /// Writes what is committed now into a new file of the same engine, which opens as a store of its own.
  ///
  /// The file appears under its name when it is complete and safe on the disk, readable by its owner alone.
  ///
  /// - Parameters:
  ///   - base: a path without the engine's extension, or with it. Its folder exists.
  ///   - overwriting: whether a file of this name may be replaced. A link is replaced itself, not what it leads to.
  /// - Throws: ``StorageError``: `fileExists`; `unsupported` if the engine keeps no file (``StoreCapabilities/canBackUp``).
  @discardableResult
  public func backUp(to base: String, overwriting: Bool = false) throws -> BackupReport {
    try requireBackups()
    return try engine.backUp(to: base, overwriting: overwriting)
  }

  /// Replaces the content of the store by that of a backup, in one commit.
  ///
  /// The store keeps its identity and begins a new branch of its history: every live query in every process shows the
  /// restored content as a reset, and every token from before is of another branch. It cannot be undone.
  ///
  /// - Parameters:
  ///   - base: the backup; a path without the engine's extension, or with it, or any name.
  ///   - overwriting: whether a store that has records may be replaced.
  /// - Throws: ``StorageError``, and nothing has changed: `notEmpty`; of the file, `noSuchStore`, `foreignFile`, `corrupt`,
  ///   `unsupportedFormat`, `schemaMismatch`, `busy` if it is a store that somebody has open; `unsupported`.
  @discardableResult
  public func restore(from base: String, overwriting: Bool = false) throws -> RestoreReport {
    try requireBackups()
    let report = try engine.restore(from: base, overwriting: overwriting, WriteOperation(WriteOperation.restoreName))
    observer.committed()
    return report
  }

  /// Gives space that the store no longer needs back to the file system.
  ///
  /// - Throws: ``StorageError``: `busy` if another program is in the way; nothing has changed.
  @discardableResult
  public func compact() throws -> CompactionReport {
    let report = try engine.compact()
    observer.committed()
    return report
  }

  /// Removes records and every trace of what they held: from the rows, the indexes, the history, and the bytes of the
  /// store's files. It cannot be undone, and nor can what was done to them before.
  ///
  /// - Parameter ids: of records, or of records that were deleted and are in the history still.
  /// - Returns: which of them there were, and whether traces are left.
  @discardableResult
  public func forget<R: Record>(_: R.Type, ids: [UUID]) throws -> ForgettingReport {
    let report = try engine.forget(R.schema.type, ids, WriteOperation(WriteOperation.forgetName))
    observer.committed()
    return report
  }

  private func requireBackups() throws {
    if capabilities.canBackUp { return }
    throw StorageError(
      .unsupported, "The engine keeps no file, and so there are no backups of it. Use another engine.", path: path)
  }
}

extension WriteOperation {
  /// The names by which the history knows what maintenance has done.
  public static let restoreName = "restore"
  public static let forgetName = "forget"
}

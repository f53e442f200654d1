#if SQLite
import FoundationEssentials
import Glibc
import SaverCore

extension SQLiteOpening {
  /// Refuses a log that was written for another file, which SQLite would play into this one, and removes what else is
  /// left of that file.
  ///
  /// - Parameters:
  ///   - old: the file that this process knows to have been the store, if it does.
  ///   - isLocked: whether the thread has the writer lock.
  func requireOwnLog(
    _ file: StoreFile, _ identity: FileIdentity, _ lock: WriterLock, instead old: FileIdentity?, isLocked: Bool
  ) throws {
    guard let recorded = FileIdentity(recordedIn: lock.path) ?? old, recorded != identity else { return }
    try refuseForeignLog(file)
    func settle() throws {
      // Another process may have been first, or put yet another file there.
      guard FileIdentity(recordedIn: lock.path) != identity, try file.identity() == identity else { return }
      try refuseForeignLog(file)
      try removeIndexOfLog(file, identity)
      // A full disk is no reason not to open.
      try? lock.record(identity)
    }
    if isLocked { try settle() } else { try lock.withLock(until: deadline, settle) }
  }

  private func refuseForeignLog(_ file: StoreFile) throws {
    guard case .file(let size, _) = FileStatus(path: file.path + "-wal"), size > 0 else { return }
    throw StorageError(
      .replacedStore,
      "The store was replaced by another file, and the log beside it, '\(file.name)-wal', belongs to the old one."
        + " If it does belong to this file, delete '\(file.name)-writer'; otherwise move the log away.",
      path: path)
  }

  /// Removes the empty log and the index of the log, which processes that have the old file open go on using: sharing
  /// them, both would take the one's pages for the other's. Whoever opens the new file makes its own.
  ///
  /// - Throws: ``StorageError`` with `replacedStore` if another program has the new file open already, with these.
  private func removeIndexOfLog(_ file: StoreFile, _ identity: FileIdentity) throws {
    let names = [file.path + "-wal", file.path + "-shm"]
    guard names.contains(where: { if case .missing = FileStatus(path: $0) { false } else { true } }) else { return }
    // Every connection to a log has a lock on its file for as long as it is open.
    if !FileLocks.holders(of: file.path, .posix, includingThis: true).isEmpty {
      throw StorageError(
        .replacedStore,
        "The store was replaced by another file, which another program has opened while the old one was still in use."
          + " Close that program.", path: path)
    }
    for name in names { unlink(name) }
  }
}
#endif

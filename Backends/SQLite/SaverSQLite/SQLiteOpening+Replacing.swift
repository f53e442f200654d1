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
    if identity.isLockedByAnyProcess {
      throw StorageError(
        .replacedStore,
        "The store was replaced by another file, which another program has opened while the old one was still in use."
          + " Close that program.", path: path)
    }
    for name in names { unlink(name) }
  }
}

extension FileIdentity {
  /// Whether a process has a POSIX lock on the file, as every SQLite connection in WAL mode has for as long as it is
  /// open. Found out from the kernel's list: opening and closing the file would drop this process's own locks.
  ///
  /// Only the inode is compared: some file systems give their device another number there. Where the list cannot be
  /// read, nobody has one.
  fileprivate var isLockedByAnyProcess: Bool {
    // 1: POSIX  ADVISORY  READ 1234 08:01:131090 1073741826 1073742335
    for line in Self.kernelLocks().split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let place = words.first(where: { $0.split(separator: ":").count == 3 }), words.contains("POSIX") else {
        continue
      }
      if place.split(separator: ":")[2] == "\(inode)" { return true }
    }
    return false
  }

  private static func kernelLocks() -> String {
    let descriptor = open("/proc/locks", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
#endif

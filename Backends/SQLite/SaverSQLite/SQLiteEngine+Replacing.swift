#if SQLite
import SaverCore

extension SQLiteEngine {
  /// How long a look at the store's place waits for writers at most: whoever looks does so again soon.
  private static let lookMilliseconds = 1_000

  /// Looks whether the path still names the open file, and opens the one that has taken its place.
  func lookAfterStore() throws -> StorePlace {
    let store = store
    guard let found = try file.identity() else { return .missing }
    if found == store.fileIdentity { return .unchanged }
    let deadline = min(deadline, Deadline(milliseconds: Self.lookMilliseconds))
    return try lock.withLock(until: deadline) {
      guard let found = try file.identity() else { return .missing }
      let store = self.store
      if found != store.fileIdentity { try adopt(instead: store, until: deadline) }
      return .replaced
    }
  }

  /// The store to write to: that which is at the path. Remembers in the lock file which file it is, so that whoever
  /// opens the store notices that it was replaced.
  ///
  /// Called by the thread that has the writer lock.
  ///
  /// - Throws: ``StorageError`` with `replacedStore` if nothing is there, or nothing that could be opened: what is written
  ///   would be lost with the old file.
  func storeForWriting(until deadline: Deadline) throws -> OpenStore {
    let store = store
    guard let found = try file.identity() else {
      try store.fileIdentity.requireStillAt(file)
      return store
    }
    if found != store.fileIdentity { return try adopt(instead: store, until: deadline) }
    // A full disk is no reason not to write what fits.
    try? lock.record(found)
    return store
  }

  /// Opens the file that is at the path now, for everybody who begins a transaction from here on.
  @discardableResult
  private func adopt(instead old: OpenStore, until deadline: Deadline) throws -> OpenStore {
    var opening = opening
    opening.deadline = deadline
    let new = try opening.open(file, lock, instead: old.fileIdentity, isLocked: true)
    replace(with: new)
    return new
  }
}
#endif

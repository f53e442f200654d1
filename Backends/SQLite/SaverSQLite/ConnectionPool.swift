#if SQLite
import SaverCore

/// The connections of a store that nobody is using. A process that only lists has one.
final class ConnectionPool: Sendable {
  private let file: StoreFile
  private let fileIdentity: FileIdentity
  private let tables: Int

  /// How many are kept; more are opened while more threads read at once.
  private static let idleMax = 4

  // MARK: Mutable state
  /// Held for as long as it takes to take one out or put one in.
  private let idle: Guarded<[Connection]>

  init(_ file: StoreFile, _ fileIdentity: FileIdentity, tables: Int, first: Connection) {
    self.file = file
    self.fileIdentity = fileIdentity
    self.tables = tables
    idle = Guarded([first])
  }

  /// A connection that belongs to the caller until it gives it back.
  func take(until deadline: Deadline) throws -> Connection {
    let connection = try idle.withLock { $0.popLast() } ?? open()
    connection.deadline = deadline
    return connection
  }

  /// One more connection, which belongs to the caller.
  ///
  /// - Throws: ``StorageError`` with `replacedStore` if the path names another file by now: SQLite would play the log of
  ///   this one into it.
  func open() throws -> Connection {
    try fileIdentity.requireStillAt(file)
    return try Connection(file.path, tables: tables)
  }

  func give(_ connection: Connection) {
    // One too many is closed after the lock is let go of: closing can mean to checkpoint.
    _ = idle.withLock { idle -> Connection? in
      if idle.count >= Self.idleMax { return connection }
      idle.append(connection)
      return nil
    }
  }
}

extension FileIdentity {
  /// - Throws: ``StorageError`` with `replacedStore` if the path no longer names this file.
  func requireStillAt(_ file: StoreFile) throws {
    guard try file.identity() == self else {
      throw StorageError(
        .replacedStore, "The store was moved away or replaced by another file while it was open. Open it again.",
        path: file.path)
    }
  }
}
#endif

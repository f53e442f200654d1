#if SQLite
import SaverCore
import Synchronization

/// The connections of a store that nobody is using. A process that only lists has one.
final class ConnectionPool: Sendable {
  private let path: String
  private let tables: Int

  /// How many are kept; more are opened while more threads read at once.
  private static let idleMax = 4

  // MARK: Mutable state
  /// Held for as long as it takes to take one out or put one in.
  private let idle: Mutex<[Connection]>

  init(_ path: String, tables: Int, first: Connection) {
    self.path = path
    self.tables = tables
    idle = Mutex([first])
  }

  /// A connection that belongs to the caller until it gives it back.
  func take(until deadline: Deadline) throws -> Connection {
    let connection = try idle.withLock { $0.popLast() } ?? Connection(path, tables: tables)
    connection.deadline = deadline
    return connection
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
#endif

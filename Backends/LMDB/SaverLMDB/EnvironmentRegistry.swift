#if LMDB
import CLMDB
import Glibc
import SaverCore

/// The environments that this process has open, by the file they have open: paths have aliases, files do not.
enum EnvironmentRegistry {
  private struct Entry {
    let environment: Environment
    var uses: Int
  }

  // MARK: Mutable state
  /// Held while an environment is opened or closed: one that is being closed must be gone before its file is opened
  /// again.
  private static let entries = Guarded<[FileIdentity: Entry]>([:])

  /// The environment of the file at `path`, opened if this process does not have it open. ``release(_:)`` it once.
  ///
  /// - Parameter path: links resolved; the file exists.
  static func environment(path: String, mapSize: Int) throws -> Environment {
    try entries.withLock { entries in
      if let identity = try FileIdentity(path: path), let entry = entries[identity] {
        entries[identity]!.uses += 1
        return entry.environment
      }
      if !entries.values.contains(where: { $0.environment.path == path }) { try ReaderTable.fill(for: path) }
      let environment = try Environment(path: path, mapSize: mapSize, isShared: true)
      guard entries[environment.identity] == nil else {
        // The file was exchanged for one that is open, between two looks at it. To close the second would take the
        // locks of the first away; nothing is lost by keeping it.
        throw StorageError(.replacedStore, "The store was replaced while it was being opened. Try again.", path: path)
      }
      entries[environment.identity] = Entry(environment: environment, uses: 1)
      return environment
    }
  }

  /// Gives up one use; the last closes the environment.
  static func release(_ environment: Environment) {
    entries.withLock { entries in
      guard var entry = entries[environment.identity] else { return }
      entry.uses -= 1
      entries[environment.identity] = entry.uses == 0 ? nil : entry
      if entry.uses == 0 { environment.close() }
    }
  }

  /// The environment that this process has open on a file; ``release(_:)`` it once.
  static func existing(_ identity: FileIdentity) -> Environment? {
    entries.withLock { entries in
      guard let entry = entries[identity] else { return nil }
      entries[identity]!.uses += 1
      return entry.environment
    }
  }

  /// Whether this process has the file open.
  static func isOpen(_ identity: FileIdentity) -> Bool { entries.withLock { $0[identity] != nil } }

  /// Whether this process has another file open that was at this path.
  static func hasOther(than identity: FileIdentity, at path: String) -> Bool {
    entries.withLock { $0.values.contains { $0.environment.path == path && $0.environment.identity != identity } }
  }

  /// Whether only one store of this process uses the environment.
  static func isOnlyUse(of environment: Environment) -> Bool {
    entries.withLock { $0[environment.identity]?.uses ?? 0 } <= 1
  }
}
#endif

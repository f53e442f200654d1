public import FoundationEssentials
import Glibc

/// How a store is copied. Text that a person is shown is the front end's business.
public struct CopyOptions: Sendable {
  /// Whether a store that is at the destination is replaced; otherwise that is an error.
  public var replacesStore: Bool
  /// Called now and then with the number of records copied so far and of all there are; what it throws ends the copying,
  /// and nothing is left of it. On the thread that copies.
  public var progress: (@Sendable (_ copied: Int, _ total: Int) throws -> Void)?

  public init(
    replacesStore: Bool = false, progress: (@Sendable (_ copied: Int, _ total: Int) throws -> Void)? = nil
  ) {
    self.replacesStore = replacesStore
    self.progress = progress
  }
}

/// A copy that was made and verified.
public struct StoreCopy: Hashable, Sendable {
  public var path: String?
  public var identity: UUID
  /// Of the source's snapshot, and of the copy as it was read back.
  public var content: StoreContent
  /// Whether the records took the place of others in a store that was there.
  public var hasReplacedStore: Bool
}

extension StorageBackend {
  /// Copies the records of these types, as they are in one snapshot of `source`, into a store of this backend, and reads
  /// them back to compare.
  ///
  /// A new store is built apart and gets its name when it is complete and verified. Memory does not grow with the store:
  /// it is written in portions. It has an identity of its own, and a history that begins with the copy, which is nothing
  /// that could be undone.
  ///
  /// A store that is replaced keeps its identity and its history: one transaction deletes its records and inserts the
  /// others, seen by everyone who has it open, and can be undone like any other.
  ///
  /// - Throws: ``StorageError``: `cannotCreate` if something has the name; with
  ///   ``CopyOptions/replacesStore``, whatever opening it throws if it is no store of this backend;
  ///   `invalidConfiguration` if the backend keeps nothing, or the destination is the source; `damagedRow` if a row of the
  ///   source does not fit its schema. What is at the destination is then what was there before.
  public static func copy(
    _ source: Store, _ types: [RecordType], to location: StoreLocation, configuration: Configuration,
    options: CopyOptions = CopyOptions()
  ) throws -> StoreCopy {
    guard let fileExtension else {
      throw StorageError(.invalidConfiguration, "The backend '\(name)' keeps no file that could be copied to.")
    }
    let path = location.path(withExtension: fileExtension)
    let given = StoreFile(path: path)
    if let identity = try given.identity(), try identity == source.path.flatMap({ try FileIdentity(path: $0) }) {
      throw StorageError(.invalidConfiguration, "The store cannot be copied to itself.", path: path)
    }
    let copying = StoreCopying(source: source, types: types, options: options)
    if case .missing = given.status {
      // A link that leads nowhere is in the way of a new store, and is no store that could be replaced.
      try given.requireNothing()
      try given.folder.make()
      let file = given.resolved
      return try file.build(until: Deadline(milliseconds: location.busyTimeoutMilliseconds)) { built in
        var location = location
        location.base = built.path
        location.creation = .ifMissing
        return try copying.makeNew(path: path) { try open(location, types: types, configuration: configuration) }
      }
    }
    guard options.replacesStore else { throw StorageError.system(EEXIST, doing: "copy the store there", path: path) }
    var location = location
    location.creation = .never
    return try copying.replace(try open(location, types: types, configuration: configuration))
  }
}

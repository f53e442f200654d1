/// What an engine tells about an open store.
public struct StoreInspection: Sendable {
  /// A file that belongs to the store, its size in bytes, and who may read it.
  public struct File: Hashable, Sendable {
    public var path: String
    public var size: Int
    /// `nil` if the file is gone again.
    public var mode: FileMode?

    public init(path: String, size: Int) {
      self.path = path
      self.size = size
      mode = FileMode(path: path)
    }
  }

  public var formatVersion: Int
  public var files: [File]
  /// What is wrong with the store; empty if nothing was found. Only filled by a check of its integrity.
  public var problems: [String]
  /// Whether nobody should read the store: a damaged structure can lead the engine anywhere.
  public var isUnreadable = false
  /// What is unusual and no fault of the store: stale readers, a version of the library with a known weakness.
  public var warnings: [String]
  /// How many rows there are of each record type that the store was opened with.
  public var rows: [(type: String, count: Int)] = []
  /// How much room the old rows take that the history keeps; `nil` if the engine does not count.
  public var historyBytes: Int?
  /// The process that is writing at this moment.
  public var writer: LockHolder?
  /// The other processes that have the store open.
  public var users: [LockHolder] = []
  /// Further facts, in the order in which to show them: page size, readers, map size.
  public var facts: [(name: String, value: String)]

  public init(
    formatVersion: Int, files: [File], problems: [String] = [], warnings: [String] = [],
    facts: [(name: String, value: String)] = []
  ) {
    self.formatVersion = formatVersion
    self.files = files
    self.problems = problems
    self.warnings = warnings
    self.facts = facts
  }
}

extension StoreInspection {
  /// The files of a store that are there: its own and those with these endings.
  public static func files(of store: StoreFile, endings: [String]) -> [File] {
    ([""] + endings).compactMap { ending in
      guard case .file(let size, _) = FileStatus(path: store.path + ending) else { return nil }
      return File(path: store.path + ending, size: Int(size))
    }
  }

  /// Finds out who has the store open, by the locks on these files of the engine's, and who writes to it.
  public mutating func noteUsers(of store: StoreFile, lockedFiles: [String]) {
    writer = FileLocks.holders(of: store.lockPath, .flock).first
    users = Set(lockedFiles.flatMap { FileLocks.holders(of: $0, .posix) }).sorted { $0.process < $1.process }
  }
}

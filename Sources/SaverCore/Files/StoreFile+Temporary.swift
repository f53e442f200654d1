import Glibc
import Synchronization

extension StoreFile {
  /// A name in the same folder under which a new store can be built before it is renamed into place.
  ///
  /// The name is `.NAME.new-PROCESS-RANDOM`, and no other call in any process returns it. Nothing is made.
  public func temporarySibling() -> StoreFile {
    let turn = TemporaryMark.turns.add(1, ordering: .relaxed).newValue
    let mark = TemporaryMark.process.hexadecimal(digits: 16) + UInt64(turn).hexadecimal(digits: 4)
    return StoreFile(path: "\(folder.path)/.\(name).new-\(getpid())-\(mark)")
  }

  /// Makes an empty file under such a name, readable and writable by its owner alone.
  ///
  /// - Throws: ``StorageError`` that names this file, also if somebody has put something there.
  public func makeTemporary() throws -> StoreFile {
    let temporary = temporarySibling()
    do {
      try temporary.makePrivate()
    } catch var error as StorageError {
      error.path = path
      throw error
    }
    return temporary
  }

  /// Makes the file, empty, readable and writable for its owner alone whatever the umask; engines keep the mode.
  ///
  /// Whoever opens a file while others may read it can read it for ever, whatever its mode becomes. Call it before the
  /// engine has the file open.
  ///
  /// - Throws: ``StorageError``, also if something is there.
  public func makePrivate() throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StorageError.system(errno, doing: "make the store", path: path) }
    fchmod(descriptor, 0o600)
    close(descriptor)
  }

  /// Removes the file, and what an engine left beside it under the same name with `-wal`, `-shm`, `-journal`, `-lock`,
  /// `-writer` or `-notify` added. For a temporary file, which nobody else has open; failures are ignored.
  public func removeWithCompanions() {
    unlink(path)
    for companion in TemporaryMark.companions { unlink("\(path)-\(companion)") }
  }

  /// Removes the temporary files and folders for this store that processes left which were killed while they built one.
  ///
  /// Call it while holding the store's writer lock. Only names that ``temporarySibling()`` makes for this very store, with
  /// or without a companion's ending, are considered, and only those of processes that no longer run; files that cannot
  /// be removed stay. In a folder that two containers share, a process of the other one counts as dead.
  ///
  /// - Returns: The names that were removed, in no particular order.
  /// - Throws: ``StorageError`` if the folder cannot be listed.
  @discardableResult
  public func removeStaleTemporaries() throws -> [String] {
    let folder = folder
    return try folder.names().filter { name in
      guard let mark = TemporaryMark(of: name, for: self), mark.isStale else { return false }
      let path = "\(folder.path)/\(name)"
      return unlink(path) == 0 || StoreFolder(path: path).removeWithFiles()
    }
  }
}

extension StorageError {
  /// The error of making a file under another name first, as whoever asked for the file understands it: with the name that
  /// they know, and without a doubt about what became of the file. Nothing of it is kept.
  ///
  /// - Parameters:
  ///   - temporary: the other name, or the folder that it is in.
  ///   - path: the one they know; `nil` if the store keeps no file.
  package func ofUnfinished(_ temporary: String, as path: String?) -> StorageError {
    guard self.path?.hasPrefix(temporary) == true else { return self }
    var error = self
    error.path = path
    if code == .unknownOutcome {
      error.code = .inputOutput
      // Engines can take a disk that is nearly full for one that fails.
      error.message =
        "The disk failed while a new file was being written; nothing of it was kept. Check the disk and the space on it."
    }
    return error
  }
}

/// Who made a temporary file, read from its name.
struct TemporaryMark {
  /// Tells this process from an earlier one of the same number; in a container, numbers repeat at each start.
  static let process = UInt64.random(in: .min ... .max)
  static let turns = Atomic(0)
  static let companions = ["wal", "shm", "journal", "lock", "writer", "notify"]

  let author: ProcessIdentifier
  /// 16 hexadecimal digits of the process and at least 4 of the turn.
  let random: String

  /// `nil` if the name is not that of a temporary file for the store.
  init?(of name: String, for store: StoreFile) {
    let beginning = ".\(store.name).new-"
    guard name.hasPrefix(beginning) else { return nil }
    let words = name.dropFirst(beginning.count).split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 2 || words.count == 3, let number = Int32(words[0]), number > 0 else { return nil }
    guard words[1].utf8.count >= 20, words[1].utf8.allSatisfy(\.isHexadecimalDigit) else { return nil }
    guard words.count == 2 || Self.companions.contains(String(words[2])) else { return nil }
    author = ProcessIdentifier(number: number)
    random = String(words[1])
  }

  /// Whether the process that made the file no longer runs.
  var isStale: Bool {
    if author == .current { return !random.hasPrefix(TemporaryMark.process.hexadecimal(digits: 16)) }
    return !author.isAlive
  }
}

extension StoreFolder {
  /// The names of everything in the folder.
  package func names() throws -> [String] {
    guard let stream = opendir(path) else { throw StorageError.system(errno, doing: "list the folder", path: path) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
    }
    return names
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
  }
}

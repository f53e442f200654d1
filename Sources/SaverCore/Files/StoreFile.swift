import Glibc

/// The main file of a store, by its path: what can be done to it without opening it.
///
/// Nothing here opens the file. Closing any descriptor of a file drops all POSIX locks that the process has on it, those
/// of an engine that has it open included; the engine's next commits can then be lost.
public struct StoreFile: Hashable, Sendable {
  public let path: String

  public init(path: String) {
    self.path = path
  }

  /// The last part of the path.
  public var name: String {
    String(path.dropLastSlashes().split(separator: "/", omittingEmptySubsequences: false).last ?? "")
  }

  /// The folder that contains the file; `.` for a bare name.
  public var folder: StoreFolder {
    if !path.isEmpty && path.dropLastSlashes().isEmpty { return StoreFolder(path: "/") }
    let path = path.dropLastSlashes()
    guard let slash = path.lastIndex(of: "/") else { return StoreFolder(path: ".") }
    let folder = path[..<slash].dropLastSlashes()
    return StoreFolder(path: folder.isEmpty ? "/" : String(folder))
  }

  /// What is at the path now.
  public var status: FileStatus { FileStatus(path: path) }

  /// Which file is at the path now; `nil` if none is.
  ///
  /// - Throws: ``StorageError`` if the path cannot be looked at.
  public func identity() throws -> FileIdentity? { try FileIdentity(path: path) }

  /// Puts a complete new store from a temporary file in place, durably.
  ///
  /// Call it while holding the store's writer lock, after the engine has synchronised and closed the temporary file. What
  /// is at the path is replaced: look first. The temporary file's companions (`-wal`, `-lock` …) are removed.
  ///
  /// - Throws: ``StorageError``. If the rename fails nothing has changed; if only making it durable fails, the store is in
  ///   place and may be gone after a crash of the machine.
  public func moveIntoPlace(_ temporary: StoreFile) throws {
    try setMode(of: temporary)
    try rename(temporary)
    temporary.removeWithCompanions()
    try folder.synchronize()
  }

  /// The same, and never replaces anything, whoever was first.
  ///
  /// - Returns: `false` if something has the path's name; nothing has changed then.
  func moveIntoFreePlace(_ temporary: StoreFile) throws -> Bool {
    try setMode(of: temporary)
    // A link is made only where nothing is. Some file systems have none.
    if link(temporary.path, path) != 0 {
      let number = errno
      if number == EEXIST { return false }
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(number) else { throw notInPlace(number) }
      if try isTaken() { return false }
      try rename(temporary)
    }
    temporary.removeWithCompanions()
    do {
      try folder.synchronize()
    } catch {
      // Whoever is told that it failed finds nothing in the way of a second try.
      unlink(path)
      throw error
    }
    return true
  }

  /// Other people's eyes are kept off before the file has its name; what the engine makes beside it follows its mode.
  private func setMode(of temporary: StoreFile) throws {
    guard chmod(temporary.path, 0o600) == 0 else {
      throw StorageError.system(errno, doing: "set the mode of the new store", path: path)
    }
  }

  private func rename(_ temporary: StoreFile) throws {
    guard Glibc.rename(temporary.path, path) == 0 else { throw notInPlace(errno) }
  }

  private func notInPlace(_ number: Int32) -> StorageError {
    StorageError.system(number, doing: "put the new store in place", path: path)
  }
}

extension StringProtocol {
  /// The path without slashes at its end; the root becomes empty.
  fileprivate func dropLastSlashes() -> SubSequence {
    var end = endIndex
    while end > startIndex, self[index(before: end)] == "/" { end = index(before: end) }
    return self[..<end]
  }
}

import Glibc

/// A file that somebody has asked for under a name of their choice: made under another name in the same folder, and given
/// its own when it is complete.
///
/// The other name is nobody's: a link that somebody has put there is not followed, a file is not overwritten. The file is
/// readable and writable by its owner alone.
public struct NewFile: Sendable {
  /// The name that was asked for; the links on the way to its folder are resolved.
  public let target: StoreFile
  /// Where it is made; empty, and closed.
  public let temporary: StoreFile
  private let overwriting: Bool

  /// Makes a file: `build` fills it and closes it. What the engine leaves beside it under the same name is removed.
  ///
  /// - Parameters:
  ///   - path: the file's. Its folder exists.
  ///   - overwriting: whether what has the name may be replaced. Only a regular file or a link can be; of a link, the link
  ///     itself, not what it leads to.
  ///   - spared: a file that is never replaced: the store's own.
  /// - Throws: ``StorageError``: `fileExists`, `cannotCreate`, `permission`, `full`, `inputOutput`; what `build` throws.
  ///   Nothing is left then, and what was there is there.
  public static func make(
    at path: String, overwriting: Bool, sparing spared: FileIdentity?, _ build: (NewFile) throws -> Void
  ) throws {
    let file = try NewFile(path: path, overwriting: overwriting, sparing: spared)
    do {
      try build(file)
      try file.synchronize()
      try requireFreeName(file.target, overwriting: overwriting, sparing: spared)
      try file.moveIntoPlace()
    } catch {
      file.temporary.removeWithCompanions()
      throw error
    }
  }

  private init(path: String, overwriting: Bool, sparing spared: FileIdentity?) throws {
    let given = StoreFile(path: path)
    // The folder's links, not the file's own: that one is looked at, never followed.
    let probe = StoreFile(path: given.folder.path).resolved.path
    target = StoreFile(path: probe == "/" ? "/" + given.name : "\(probe)/\(given.name)")
    self.overwriting = overwriting
    guard case .folder = FileStatus(path: probe) else {
      throw StorageError(.cannotCreate, "There is no such folder. Make it first.", path: given.folder.path)
    }
    try Self.requireFreeName(target, overwriting: overwriting, sparing: spared)
    _ = try? target.removeStaleTemporaries()
    temporary = try target.makeTemporary()
  }

  /// - Throws: ``StorageError``: `fileExists` if something has the name and must be allowed to be replaced, `cannotCreate`
  ///   if it never is.
  private static func requireFreeName(
    _ target: StoreFile, overwriting: Bool, sparing spared: FileIdentity?
  ) throws {
    var status = stat()
    guard lstat(target.path, &status) == 0 else {
      let number = errno
      if number == ENOENT { return }
      throw StorageError.system(number, doing: "look at the file", path: target.path)
    }
    if FileIdentity(status) == spared {
      throw StorageError(.cannotCreate, "This is the store itself. Choose another name.", path: target.path)
    }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFLNK else {
      throw StorageError(
        .cannotCreate, "What has this name is no regular file. Choose another name.", path: target.path)
    }
    if !overwriting { throw exists(target) }
  }

  private static func exists(_ target: StoreFile) -> StorageError {
    StorageError(
      .fileExists, "There is a file of this name already. Choose another name, or allow that it is replaced.",
      path: target.path)
  }

  private func synchronize() throws {
    let descriptor = open(temporary.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StorageError.system(errno, doing: "open the new file", path: target.path)
    }
    defer { close(descriptor) }
    while fsync(descriptor) != 0 {
      let number = errno
      if number != EINTR { throw StorageError.system(number, doing: "write the file to the disk", path: target.path) }
    }
  }

  private func moveIntoPlace() throws {
    if overwriting { return try target.moveIntoPlace(temporary) }
    guard try target.moveIntoFreePlace(temporary) else { throw Self.exists(target) }
  }
}

import Glibc

/// How a store that has content from the beginning comes into being: apart, and then in place in one step.
extension StoreFile {
  /// Whether anything has the path's name: a symbolic link that leads nowhere, too, which ``status`` takes for nothing.
  ///
  /// - Throws: ``StorageError`` if it cannot be told.
  public func isTaken() throws -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    let number = errno
    if number == ENOENT { return false }
    throw StorageError.system(number, doing: "look at the file", path: path)
  }

  /// Runs `body` with the place for a store of this name in a folder of its own beside this file, which no other call in
  /// any process is given and which only this user can enter; puts what is there afterwards in this file's place.
  ///
  /// Whatever an engine makes beside its file stays in that folder. It is gone when the function returns or throws; of
  /// one whose process was killed, the next that makes a store here takes it away.
  ///
  /// - Parameters:
  ///   - deadline: for waiting for the writer lock of the store's place.
  ///   - body: makes the store and lets go of it: the engine has closed its files, and they are on the disk.
  /// - Throws: what `body` throws; ``StorageError`` with `cannotCreate` if something has the name by then. Nothing is in
  ///   the file's place then that was not there before.
  public func build<Result>(until deadline: Deadline, _ body: (StoreFile) throws -> Result) throws -> Result {
    try requireNothing()
    let lock = WriterLock(path: lockPath)
    try lock.withLock(until: deadline) { _ = try removeStaleTemporaries() }
    let folder = StoreFolder(path: temporarySibling().path)
    guard mkdir(folder.path, 0o700) == 0 else {
      throw StorageError.system(errno, doing: "make a folder for the new store", path: self.folder.path)
    }
    defer { folder.removeWithFiles() }
    let built = StoreFile(path: "\(folder.path)/\(name)")
    do {
      let result = try body(built)
      try built.requireNoLog()
      try lock.withLock(until: deadline) { try install(built, lock) }
      return result
    } catch let error as StorageError {
      throw error.ofUnfinished(folder.path, as: path)
    }
  }

  /// - Throws: ``StorageError`` with `cannotCreate` if anything has the path's name: a link that leads nowhere, too, which
  ///   a store that is renamed into place would replace.
  public func requireNothing() throws {
    guard try isTaken() else { return }
    if case .missing = status {
      throw StorageError(
        .cannotCreate,
        "A symbolic link that leads nowhere is in the store's place. Mount or make what it leads to, or remove it.",
        path: path)
    }
    throw StorageError.system(EEXIST, doing: "make the store", path: path)
  }

  /// The engine writes a log back into the file when it closes it. If it could not, the file is not the whole store.
  private func requireNoLog() throws {
    guard case .file(let size, _) = FileStatus(path: path + "-wal"), size > 0 else { return }
    throw StorageError(
      .inputOutput,
      "The new store could not be completed: its log was not written back. Check the disk and the space on it.",
      path: path)
  }

  /// Gives a complete store this file's name. The thread has the writer lock.
  private func install(_ built: StoreFile, _ lock: WriterLock) throws {
    if case .file(let size, _) = FileStatus(path: path + "-wal"), size > 0 {
      throw StorageError(
        .cannotCreate,
        "There is no store, but the log of one: '\(name)-wal'. Put the store back, or move the log away.", path: path)
    }
    // Before the engine's files beside it are touched.
    try requireNothing()
    // What a store that was deleted has left would mislead the engine.
    for ending in ["-lock", "-shm"] { unlink(path + ending) }
    guard try moveIntoFreePlace(built) else {
      throw StorageError.system(EEXIST, doing: "put the new store in place", path: path)
    }
    if let identity = try identity() { try? lock.record(identity) }
  }
}

extension StoreFolder {
  /// Removes the folder and the files in it, as far as it can; whether it is gone. Follows no symbolic link.
  @discardableResult
  func removeWithFiles() -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    for name in (try? names()) ?? [] where name != "." && name != ".." { unlinkat(descriptor, name, 0) }
    return rmdir(path) == 0
  }
}

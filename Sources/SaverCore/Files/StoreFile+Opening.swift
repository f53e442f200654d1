import Glibc

/// What every engine asks of a store's path before it hands it to its library.
extension StoreFile {
  /// The file itself, links resolved: whatever way a process came, its writers queue on one lock file.
  public var resolved: StoreFile {
    if let path = Self.realPath(path) { return StoreFile(path: path) }
    guard let folder = Self.realPath(folder.path) else { return self }
    return StoreFile(path: folder == "/" ? "/" + name : "\(folder)/\(name)")
  }

  /// The file to make for a store where none is, its folder made: what ``resolved`` will be once it is there.
  ///
  /// A symbolic link to a place where nothing is stays a link: the file is made where it leads.
  ///
  /// - Throws: ``StorageError``: `cannotCreate` if a link leads into a folder that is missing; what ``StoreFolder/make()``
  ///   throws.
  public func resolvedForMaking() throws -> StoreFile {
    try folder.make()
    var file = resolved
    // The system follows no more links than this, either.
    for _ in 0..<40 {
      guard let target = Self.linkTarget(file.path) else { return file }
      file = StoreFile(path: target.hasPrefix("/") ? target : "\(file.folder.path)/\(target)")
      guard Self.realPath(file.folder.path) != nil else {
        throw StorageError(
          .cannotCreate,
          "The store is a symbolic link into a folder that is missing: '\(file.folder.path)'. Make the folder, or remove"
            + " the link.", path: path)
      }
      file = file.resolved
    }
    return file
  }

  /// What a symbolic link says; `nil` if the path is none.
  private static func linkTarget(_ path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static func realPath(_ path: String) -> String? {
    guard let name = realpath(path, nil) else { return nil }
    defer { free(name) }
    return String(cString: name)
  }

  /// Where the writers of this store queue. Ask it of the ``resolved`` file.
  public var lockPath: String { path + "-writer" }

  /// The identity of the regular file that is there and is not empty.
  ///
  /// - Parameter given: the path as the caller named it, for messages.
  /// - Throws: ``StorageError``: `foreignFile` for a folder, a device, an empty file (which libraries take for a new store);
  ///   `noSuchStore`; whatever keeps the path from being looked at.
  public func requireRegularFile(as given: String) throws -> FileIdentity {
    switch status {
    case .file(let size, let identity):
      guard size > 0 else {
        throw StorageError(
          .foreignFile, "The file is empty, and no store. Delete it, or restore a backup.", path: given)
      }
      return identity
    case .folder: throw StorageError(.foreignFile, "There is a folder in the store's place.", path: given)
    case .other: throw StorageError(.foreignFile, "What is in the store's place is no regular file.", path: given)
    case .missing: throw StorageError(.noSuchStore, "There is no store.", path: given)
    case .unreadable(let error): throw error
    }
  }
}

extension FileIdentity {
  /// The store's file as a lock file records it (``WriterLock/recordedStore``), read without the lock: opening a store
  /// must not wait for a writer. `nil` if nothing is recorded.
  public init?(recordedIn path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    let line = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n").first ?? ""
    let words = line.split(separator: " ")
    guard words.count == 3, let device = UInt64(words[1]), let inode = UInt64(words[2]) else { return nil }
    self.init(device: device, inode: inode)
  }
}

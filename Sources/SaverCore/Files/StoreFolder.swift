import Glibc

/// The folder in which a store's files lie.
public struct StoreFolder: Hashable, Sendable {
  public let path: String

  public init(path: String) {
    self.path = path
  }

  /// The folder that contains this one; the root contains itself.
  var parent: StoreFolder {
    StoreFile(path: path).folder
  }

  /// Makes the folder, and those above it that are missing, each open to its owner alone (mode 0700).
  ///
  /// A folder that exists keeps its mode. Other processes may make the same folders at the same time.
  ///
  /// - Throws: ``StorageError``: `.cannotCreate` if a file is in the way or a name is too long, `.permission`, `.full`,
  ///   `.inputOutput`. What was made before the failure stays.
  public func make() throws {
    switch FileStatus(path: path) {
    case .folder:
      return
    case .file, .other:
      throw StorageError.system(ENOTDIR, doing: "use it as a folder", path: path)
    case .unreadable(let error):
      throw error
    case .missing:
      if parent != self { try parent.make() }
    }
    guard mkdir(path, 0o700) != 0 else { return }
    let number = errno
    if number == EEXIST, case .folder = FileStatus(path: path) { return }
    var error = StorageError.system(number, doing: "make the folder", path: path)
    // Missing means here that somebody removes the folders as they are made.
    if error.code == .noSuchStore { error.code = .cannotCreate }
    throw error
  }

  /// Makes the names in the folder durable: files that were renamed or removed stay so after a crash.
  ///
  /// - Throws: ``StorageError``.
  public func synchronize() throws {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError.system(errno, doing: "open the folder", path: path) }
    defer { close(descriptor) }
    while fsync(descriptor) != 0 {
      let number = errno
      switch number {
      case EINTR: continue
      // The file system has nothing to synchronise for a folder.
      case EINVAL: return
      default: throw StorageError.system(number, doing: "write the folder to the disk", path: path)
      }
    }
  }
}

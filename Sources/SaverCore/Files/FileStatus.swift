import Glibc

/// What is at a path, found out without opening it.
public enum FileStatus: Sendable {
  /// Nothing is there, or a symbolic link that leads nowhere.
  case missing
  /// A regular file, with its size in bytes.
  case file(size: Int64, FileIdentity)
  case folder
  /// A device, a pipe or a socket.
  case other
  /// It cannot be told: a folder on the way may not be entered (`.permission`), is a file (`.cannotCreate`), or the disk
  /// fails (`.inputOutput`).
  case unreadable(StorageError)

  /// Looks at `path` with `stat`, through symbolic links.
  public init(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let number = errno
      self =
        number == ENOENT ? .missing : .unreadable(StorageError.system(number, doing: "look at the file", path: path))
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file(size: Int64(status.st_size), FileIdentity(status))
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }
}

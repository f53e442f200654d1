import Glibc

/// Which file a path names at this moment: the device it lies on and its inode there.
///
/// Two paths with one identity are the same file; a path whose identity has changed names another file, whatever its
/// content. Inodes are used again: equal identities at two times prove nothing if the file was deleted in between.
public struct FileIdentity: Hashable, Sendable {
  public var device: UInt64
  public var inode: UInt64

  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// The identity of the file at `path` (through symbolic links), or `nil` if nothing is there.
  ///
  /// The file is not opened: closing any descriptor of a store's file drops all locks that this process has on it.
  ///
  /// - Throws: ``StorageError`` if the path cannot be looked at.
  public init?(path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let number = errno
      if number == ENOENT { return nil }
      throw StorageError.system(number, doing: "look at the file", path: path)
    }
    self.init(status)
  }

  init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}

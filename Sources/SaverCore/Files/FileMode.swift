import Glibc

/// Who may do what with a file or a folder.
public struct FileMode: Hashable, Sendable, CustomStringConvertible {
  /// The permission bits, as `chmod` takes them.
  public var bits: UInt32

  public init(bits: UInt32) { self.bits = bits }

  /// The mode of what is at the path, through symbolic links; `nil` if it cannot be told.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    bits = UInt32(status.st_mode) & 0o7777
  }

  /// In octal digits.
  public var description: String { String(bits, radix: 8) }

  public var isReadableByOthers: Bool { bits & 0o044 != 0 }
  public var isWritableByOthers: Bool { bits & 0o022 != 0 }
  /// For a folder: whether others get at what is in it, if that lets them.
  public var isEnterableByOthers: Bool { bits & 0o011 != 0 }
}

extension StoreFolder {
  public var mode: FileMode? { FileMode(path: path) }

  /// The kernel's name of the kind of file system under the folder: `ext4`, `overlay`; `nil` if it cannot be told.
  public var fileSystem: String? { fileSystemKind(listedIn: "/proc/self/mountinfo") }
}

import Glibc

extension StoreFolder {
  /// Refuses a folder on a network file system, on which neither the locks nor the shared memory of the engines work.
  ///
  /// Refused are NFS, SMB (CIFS), AFS, Coda, NCP and SSHFS: there, two machines would each believe that they write alone.
  /// 9p (a virtual machine's shared folder) and other FUSE file systems (encrypted folders, NTFS) serve one machine and
  /// are accepted; where they lack shared memory maps, the engine reports that itself. A folder that is not there yet is
  /// judged by the nearest one above it. Where `/proc` is missing nothing can be told, and nothing is refused.
  ///
  /// Costs two system calls on a local disk, and reading the list of mounts elsewhere.
  ///
  /// - Throws: ``StorageError`` with `.unsupportedFileSystem`.
  public func requireLocalFileSystem() throws {
    guard let kind = fileSystemKind(mounts: "/proc/self/mountinfo"), StoreFolder.isNetwork(kind) else { return }
    throw StorageError(
      .unsupportedFileSystem,
      "The folder is on a network file system (\(kind)), which cannot carry a store. Keep it on a local disk.",
      path: path)
  }

  /// The kernel's name of the file system under the folder; `nil` if it lies on a block device or is not listed.
  func fileSystemKind(mounts: String) -> String? {
    // A file system without a device of its own has the major number 0: all those of the network do, and none on a disk
    // but Btrfs.
    guard mounts != "/proc/self/mountinfo" || nearestDevice()?.majorDevice == 0 else { return nil }
    return fileSystemKind(listedIn: mounts)
  }

  /// The kernel's name of the file system under the folder; `nil` if it is not listed.
  func fileSystemKind(listedIn mounts: String) -> String? {
    guard let device = nearestDevice(), let text = StoreFolder.text(of: mounts) else { return nil }
    for line in text.split(separator: "\n") {
      // mount parent major:minor root point options optional… - kind source options
      let words = line.split(separator: " ")
      guard words.count > 2, words[2] == "\(device.majorDevice):\(device.minorDevice)" else { continue }
      guard let dash = words.firstIndex(of: "-"), dash + 1 < words.count else { continue }
      return String(words[dash + 1])
    }
    return nil
  }

  static func isNetwork(_ kind: String) -> Bool {
    ["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "coda", "ncpfs", "fuse.sshfs"].contains(kind)
  }

  /// The device of the folder, or of the nearest one above it that exists.
  private func nearestDevice() -> FileIdentity? {
    var folder = self
    while true {
      var status = stat()
      if stat(folder.path, &status) == 0 { return FileIdentity(status) }
      let parent = folder.parent
      if parent == folder { return nil }
      folder = parent
    }
  }

  /// The content of a file of the kernel's, whose size is known only at its end.
  static func text(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

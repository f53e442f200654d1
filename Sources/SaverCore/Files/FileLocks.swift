import Glibc

/// A process that has a lock.
public struct LockHolder: Hashable, Sendable {
  public var process: Int32
  /// The name of its program, if the system tells it: any bytes, for people.
  public var program: String?
}

/// Who has locks on a file, as the kernel lists them: the file itself is not opened, which would drop this process's own
/// POSIX locks on it when it is closed.
///
/// Only Linux has the list; elsewhere, and where `/proc` is missing, nobody seems to hold anything. A process of another
/// container does not show.
public enum FileLocks {
  public enum Kind: String, Sendable {
    /// Of a process on a range of bytes: what SQLite and LMDB use.
    case posix = "POSIX"
    /// Of an open file: what writers queue on.
    case flock = "FLOCK"
  }

  /// The processes that have a lock of this kind on the file at `path`, by number.
  ///
  /// - Parameter bytes: only those who have one on one of these bytes.
  public static func holders(
    of path: String, _ kind: Kind, includingThis: Bool = false, bytes: ClosedRange<Int64>? = nil
  ) -> [LockHolder] {
    guard let identity = (try? FileIdentity(path: path)) ?? nil else { return [] }
    let table = StoreFolder.text(of: "/proc/locks") ?? ""
    let processes = processes(in: table, kind, identity, bytes: bytes) { identity.isOpen(in: $0) }
    return processes.sorted().filter { includingThis || $0 != getpid() }.map { process in
      let name = StoreFolder.text(of: "/proc/\(process)/comm")?.split(separator: "\n").first
      return LockHolder(process: process, program: name.map(String.init))
    }
  }

  /// Reads lines such as `1: POSIX  ADVISORY  READ 1234 08:01:131090 1073741826 1073742335`; a lock that is waited for has
  /// an arrow before its kind.
  ///
  /// Some file systems give their device another number here than to `stat`: then the process must have the file open.
  static func processes(
    in table: String, _ kind: Kind, _ identity: FileIdentity, bytes: ClosedRange<Int64>? = nil,
    isOpen: (Int32) -> Bool
  ) -> Set<Int32> {
    var found: Set<Int32> = []
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == kind.rawValue, let process = Int32(words[4]), process > 0 else { continue }
      let place = words[5].split(separator: ":")
      if let bytes, !bytes.overlaps(range(words.dropFirst(6))) { continue }
      guard place.count == 3, place[2] == "\(identity.inode)", !found.contains(process) else { continue }
      let isOnDevice =
        UInt64(place[0], radix: 16) == identity.majorDevice && UInt64(place[1], radix: 16) == identity.minorDevice
      if isOnDevice || isOpen(process) { found.insert(process) }
    }
    return found
  }

  /// The bytes from the first word to the second, which is `EOF` where there is no end.
  private static func range(_ words: ArraySlice<Substring>) -> ClosedRange<Int64> {
    let first = words.first.flatMap { Int64($0) } ?? 0
    return first...max(first, words.dropFirst().first.flatMap { Int64($0) } ?? .max)
  }
}

extension FileIdentity {
  /// As the C library's macros `major` and `minor` take a device number apart.
  var majorDevice: UInt64 { (device >> 8) & 0xfff | (device >> 32) & ~0xfff }
  var minorDevice: UInt64 { device & 0xff | (device >> 12) & ~0xff }

  /// Whether the process has the file open; of another user's, which does not show it, it is assumed.
  fileprivate func isOpen(in process: Int32) -> Bool {
    let folder = "/proc/\(process)/fd"
    guard let names = try? StoreFolder(path: folder).names() else { return access(folder, F_OK) == 0 }
    return names.contains { $0.first != "." && (try? FileIdentity(path: "\(folder)/\($0)")) == self }
  }
}

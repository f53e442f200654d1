#if SQLite
import Glibc
import SaverCore

/// The POSIX locks on a file, from the kernel's list: opening and closing the file would drop this process's own.
///
/// Only the inode is compared: some file systems give their device another number there. Where the list cannot be read,
/// nobody has a lock.
struct KernelLocks {
  struct Lock {
    let process: Int32
    let bytes: ClosedRange<Int64>
  }

  let locks: [Lock]

  init(on file: FileIdentity) {
    // 1: POSIX  ADVISORY  READ 1234 08:01:131090 1073741826 1073742335
    var locks: [Lock] = []
    for line in Self.list().split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(where: { $0.split(separator: ":").count == 3 }), words.contains("POSIX"),
        words[place].split(separator: ":")[2] == "\(file.inode)", place > 0, place + 2 < words.count
      else { continue }
      let first = Int64(words[place + 1]) ?? 0
      locks.append(
        Lock(process: Int32(words[place - 1]) ?? 0, bytes: first...max(first, Int64(words[place + 2]) ?? .max)))
    }
    self.locks = locks
  }

  private static func list() -> String {
    let descriptor = open("/proc/locks", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
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

extension FileIdentity {
  /// Whether a process has a POSIX lock on the file, as every SQLite connection in WAL mode has for as long as it is
  /// open.
  var isLockedByAnyProcess: Bool { !KernelLocks(on: self).locks.isEmpty }
}

extension StoreFile {
  /// The processes that read a snapshot of the store at this moment: they have a lock on one of five bytes of the index
  /// of the log.
  func readingProcesses() -> [Int32] {
    guard let index = try? FileIdentity(path: path + "-shm") else { return [] }
    let marks: ClosedRange<Int64> = 123...127
    return Set(KernelLocks(on: index).locks.filter { $0.bytes.overlaps(marks) }.map(\.process)).sorted()
  }
}
#endif

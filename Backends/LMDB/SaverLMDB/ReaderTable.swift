#if LMDB
import CLMDB
import Glibc
import SaverCore

/// The file of LMDB's table of readers, beside the store's: every process that has the store open maps it, and writes to
/// it through the map.
enum ReaderTable {
  /// LMDB makes it a little longer, to the end of its header and the last of its places of 64 bytes, in the same block.
  private static let bytes = Environment.readersMax * 64 + 64

  /// Makes the file with all its blocks if there is none. LMDB makes one without: on a full disk the first write to its
  /// map, or that of the 65th reader, ends the process (SIGBUS).
  ///
  /// It gets its name when it is complete, and is never opened by that name here: to close it would take LMDB's locks
  /// away.
  ///
  /// - Throws: ``StorageError`` with the code `full` if the disk is.
  static func make(for path: String) throws {
    let name = path + "-lock"
    guard case .missing = FileStatus(path: name) else { return }
    let folder = StoreFile(path: path).folder.path
    let descriptor = open(folder, saver_O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600)
    // Not every file system has files without a name; LMDB says what else is wrong.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let result = posix_fallocate(descriptor, 0, bytes)
    if result == ENOSPC || result == EDQUOT {
      throw StorageError.system(result, doing: "make the table of readers", path: path)
    }
    guard result == 0 else { return }
    // If another process was faster, its own is as good.
    _ = linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW)
  }

  /// Gives a file that another program has made the blocks that it lacks, before this process maps it.
  ///
  /// Neither its size nor its content changes: others may have it mapped, and LMDB takes its number of places from the
  /// size. The blocks that LMDB needs if it makes the file longer, because nobody else has it open, are kept ready behind its
  /// end.
  ///
  /// To close the file takes this process's locks on it away: it has no store open whose table this is.
  ///
  /// - Throws: ``StorageError`` with the code `full` if the disk is: LMDB would end the process.
  static func fill(for path: String) throws {
    let name = path + "-lock"
    var status = stat()
    guard lstat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let size = max(Int(status.st_size), bytes)
    if Int(status.st_blocks) * 512 >= size { return }
    let descriptor = open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    // LMDB says what is wrong.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if saver_allocate(descriptor, off_t(size)) == 0 { return }
    let number = errno
    // Not every file system can do it.
    guard number == ENOSPC || number == EDQUOT else { return }
    throw StorageError.system(number, doing: "fill the table of readers", path: path)
  }
}
#endif

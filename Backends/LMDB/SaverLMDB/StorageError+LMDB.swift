#if LMDB
import CLMDB
import Glibc
import SaverCore

extension StorageError {
  /// The error of a failed call of the library.
  ///
  /// - Parameters:
  ///   - result: one of LMDB's negative codes, or an `errno`.
  ///   - action: what was being done, as it follows "while": `"committing"`.
  init(
    lmdb result: Int32, doing action: String, path: String, fileID: String = #fileID, line: Int = #line
  ) {
    guard result < 0 else {
      self = Self.fromSystem(result, doing: action, path: path, fileID: fileID, line: line)
      return
    }
    let (code, message) = Self.meaning(of: result, doing: action)
    self.init(
      code, message, path: path,
      cause: Cause(domain: "LMDB", code: result, text: String(cString: mdb_strerror(result))), fileID: fileID,
      line: line)
  }

  private static func meaning(of result: Int32, doing action: String) -> (Code, String) {
    switch result {
    case MDB_MAP_FULL:
      (
        .full,
        "The store has reached the size that lmdb.mapSizeMaxGiB allows. Set it higher in every program that uses the"
          + " store; nothing was changed."
      )
    case MDB_READERS_FULL:
      (
        .busy,
        "All \(Environment.readersMax) reader slots of the store are taken. End some of the programs that read it."
      )
    case MDB_INVALID, MDB_VERSION_MISMATCH:
      (.foreignFile, "This is no LMDB file of the kind that this program knows. Choose another name for the store.")
    case MDB_PAGE_NOTFOUND, MDB_CORRUPTED:
      (.corrupt, "The store is damaged. Restore a backup.")
    case MDB_PANIC:
      (.internalError, "An earlier write failed so that the store cannot be used further. Open it again.")
    case MDB_MAP_RESIZED:
      (.busy, "The store has outgrown this program's map while transactions were open in it. Try again.")
    case MDB_TXN_FULL:
      (.full, "The transaction changes more than LMDB can hold at once. Divide it; nothing was changed.")
    case MDB_BAD_VALSIZE:
      (.invalidRecord, "A value is too large to be stored.")
    default:
      (.internalError, "LMDB failed while \(action).")
    }
  }

  private static func fromSystem(
    _ number: Int32, doing action: String, path: String, fileID: String, line: Int
  ) -> StorageError {
    var error = StorageError.system(number, doing: "go on \(action)", path: path, fileID: fileID, line: line)
    switch number {
    case EACCES, EPERM, EROFS:
      error = .refused(path, cause: error.cause)
    case EAGAIN:
      // LMDB tells live readers from dead ones by a lock on the process id, which means nothing to another namespace.
      error.code = .busy
      error.message =
        "A program in another container (PID namespace) has the store open under this program's process number."
        + " One store can be shared only by programs that see each other's processes."
    case ENOMEM:
      error.message = "The system refuses memory while \(action). Raise the limit (ulimit -v), or close something."
    default: break
    }
    return error
  }

  /// Which of a store's files may not be used. LMDB writes to its lock file even to read.
  static func refused(_ path: String, cause: Cause? = nil) -> StorageError {
    func may(_ path: String, _ mode: Int32) -> Bool { access(path, mode) == 0 || errno == ENOENT }
    let lock = path + "-lock"
    let folder = StoreFile(path: path).folder.path
    let (refused, message) =
      if !may(path, R_OK | W_OK) {
        (path, "This user may not read and write the store.")
      } else if !may(lock, R_OK | W_OK) {
        (lock, "This user may not read and write the store's lock file, which LMDB needs even to read.")
      } else {
        (folder, "This user may not write in the store's folder, which LMDB needs even to read.")
      }
    return StorageError(.permission, message, path: refused, cause: cause)
  }
}
#endif

#if SQLite
import CSQLite
import Glibc
import SaverCore

extension StorageError {
  /// The error of a failed call of the library.
  ///
  /// - Parameters:
  ///   - connection: read for the extended code, the text and the `errno` of the failure: call it at once.
  ///   - path: the store's file.
  init(
    sqlite result: Int32, _ connection: OpaquePointer?, doing: String, path: String,
    fileID: String = #fileID, line: Int = #line
  ) {
    // The connection knows the extended code; without one, the result is all there is.
    let extended = connection.map { sqlite3_extended_errcode($0) } ?? result
    let code = extended & 0xff == result & 0xff ? extended : result
    let text = connection.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(result))
    let system = connection.map { sqlite3_system_errno($0) } ?? 0
    let cause = Cause(domain: "SQLite", code: code, text: text)
    let (kind, message, concerned) = Self.describe(code, system: system, doing: doing, path: path)
    self.init(kind, message, path: concerned, cause: cause, fileID: fileID, line: line)
  }

  private static func describe(
    _ code: Int32, system: Int32, doing: String, path: String
  ) -> (Code, String, String) {
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return (.busy, "Another program kept the store locked while \(doing). Try again when it has finished.", path)
    case SQLITE_FULL:
      return (.full, "There is no room left while \(doing). Free some space; nothing was changed.", path)
    case SQLITE_IOERR where system == ENOSPC || system == EDQUOT:
      return (.full, "There is no room left while \(doing). Free some space; nothing was changed.", path)
    case SQLITE_IOERR:
      return (.inputOutput, "The disk failed while \(doing).", path)
    case SQLITE_NOTADB:
      return (.foreignFile, "This is no SQLite file. Move it away, or choose another name for the store.", path)
    case SQLITE_CORRUPT:
      return (.corrupt, "The store is damaged. Restore a backup, or export what is left.", path)
    case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      return describeAccess(code, system: system, doing: doing, path: path)
    case SQLITE_TOOBIG:
      return (.invalidRecord, "A value is too large to be stored.", path)
    case SQLITE_NOMEM:
      return (.internalError, "There is not enough memory for \(doing).", path)
    case SQLITE_NOLFS:
      return (.unsupportedFileSystem, "The file system cannot hold files as large as the store.", path)
    default:
      return (.internalError, "SQLite refused \(doing).", path)
    }
  }

  /// Write-ahead logging makes files beside the store, even to read: the folder's mode counts as well as the file's.
  private static func describeAccess(
    _ code: Int32, system: Int32, doing: String, path: String
  ) -> (Code, String, String) {
    let folder = StoreFile(path: path).folder.path
    if access(path, F_OK) == 0 && access(path, R_OK | W_OK) != 0 {
      return (.permission, "This user may not read and write the store.", path)
    }
    if access(folder, W_OK | X_OK) != 0 && errno != ENOENT {
      return (.permission, "This user may not write in the store's folder, which SQLite needs even to read.", folder)
    }
    if system == ENOSPC || system == EDQUOT {
      return (.full, "There is no room left while \(doing). Free some space; nothing was changed.", path)
    }
    if code & 0xff == SQLITE_READONLY {
      return (.permission, "The store can only be read.", path)
    }
    return (.inputOutput, "The store's files cannot be opened while \(doing).", path)
  }
}
#endif

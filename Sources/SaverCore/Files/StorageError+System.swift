import Glibc

extension StorageError {
  /// The error of a system call that failed.
  ///
  /// - Parameters:
  ///   - number: The value of `errno` after the call. Read it at once: any call may change it.
  ///   - action: What was being done, as it follows "Cannot": `"open the lock file"`.
  ///   - path: The file or folder concerned.
  public static func system(
    _ number: Int32, doing action: String, path: String? = nil, fileID: String = #fileID, line: Int = #line
  ) -> StorageError {
    let (code, remedy) = meaning(of: number)
    return StorageError(
      code, "Cannot \(action): \(remedy).", path: path,
      cause: Cause(domain: "errno", code: number, text: String(cString: strerror(number))), fileID: fileID, line: line)
  }

  /// The kind of error that an `errno` is, and what to do about it.
  private static func meaning(of number: Int32) -> (Code, String) {
    switch number {
    case EACCES, EPERM:
      (.permission, "access is refused; check the owner and the mode of the file and of its folder")
    case EROFS:
      (.permission, "the file system is mounted read-only")
    case ENOSPC:
      (.full, "the disk is full; free some space and try again")
    case EDQUOT:
      (.full, "the disk quota is used up; free some space and try again")
    case EFBIG:
      (.full, "the file would exceed the size limit of the process or the file system")
    case ENOENT:
      (.noSuchStore, "there is no such file or folder")
    case ENOTDIR:
      (.cannotCreate, "a part of the path is not a folder")
    case EISDIR:
      (.cannotCreate, "a folder is in its place")
    case EEXIST:
      (.cannotCreate, "something is in its place already")
    case ENAMETOOLONG:
      (.cannotCreate, "the name is too long")
    case ELOOP:
      (.cannotCreate, "the path goes round in symbolic links")
    case EMFILE, ENFILE:
      (.inputOutput, "too many files are open; close some, or raise the limit (ulimit -n)")
    case ENOMEM, EAGAIN:
      (.inputOutput, "the system is out of memory or threads; close something and try again")
    case ENOLCK, EOPNOTSUPP, ENOSYS:
      (.unsupportedFileSystem, "the file system does not support it; keep the store on a local disk")
    default:
      (.inputOutput, "the system reports an error")
    }
  }
}

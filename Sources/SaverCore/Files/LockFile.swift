import Glibc

/// The file under a ``WriterLock``: its descriptor, the `flock` on it, and the line in it.
///
/// Not safe to use from two threads at once; the writer lock sees to that. The descriptor stays open between locks. Each
/// instance has its own, so two instances exclude each other in one process as they do in two.
///
/// `flock` alone is not fair: who unlocks and locks again at once does so before the one that waits has woken. So whoever
/// waits in `flock` has a second lock meanwhile, the turnstile, which others queue at, and whoever gets the lock without
/// waiting gives it back if somebody stands there, unless its turn has only begun: to hand the lock from process to process
/// at each commit cost as much as the commit (eight writers made 0.56 of one writer's commits).
///
/// The turnstile is a lock of the open file (`F_OFD_SETLKW`) on its first byte; on a local disk the two kinds do not know of
/// each other. The price: a process that is stopped while it waits holds up all others, as one that is stopped while it has
/// the lock does.
///
/// The line is `PROCESS DEVICE INODE`, in decimal, blanks at its end up to 63 bytes, and a newline: the process that
/// locked last, and the store's file as it was last recorded. Without a recorded store it is `PROCESS` alone.
final class LockFile {
  let path: String

  /// -1 while the file is not open.
  private var descriptor: Int32 = -1

  /// For how long, in nanoseconds, who has got the lock may take it again although others wait: a few commits.
  private let turn: Int64
  /// When the turn is over that began when the lock was last got by waiting, or while nobody waited.
  private var turnEnd: Int64 = 0

  /// What the line says. Right while the file is locked.
  private(set) var line = Line()

  init(path: String, turn: Int64) {
    self.path = path
    self.turn = turn
  }

  deinit {
    // This releases the lock, too.
    closeDescriptor()
  }

  // MARK: Locking

  /// Locks the file that is at the path, making it if it is missing.
  ///
  /// A lock on a file that was unlinked or replaced meanwhile excludes nobody who comes later, so the path is looked at
  /// again once the lock is there, and the file opened anew until both agree.
  ///
  /// - Parameter waiting: Whether to wait for the lock, without limit.
  /// - Returns: `false` if somebody else has the lock, or waits for it.
  /// - Throws: ``StorageError``; the file is not locked then.
  func lock(waiting: Bool) throws -> Bool {
    // More rounds than any rename in the path can cause: a file system that gives one file two identities.
    for _ in 0..<1_000 {
      if descriptor < 0 { try openDescriptor() }
      guard try waiting ? lockDescriptorInTurn() : lockDescriptorIfFree() else { return false }
      if try isAtPath() { return true }
      closeDescriptor()
    }
    throw StorageError(
      .unsupportedFileSystem,
      "The lock file is another file each time it is looked at. Keep the store on a local disk.", path: path)
  }

  func unlock() {
    flock(descriptor, LOCK_UN)
  }

  private func lockDescriptorInTurn() throws -> Bool {
    _ = try turnstile(OpenFileLock.wait, F_WRLCK)
    defer { _ = try? turnstile(OpenFileLock.set, F_UNLCK) }
    guard try lockDescriptor(LOCK_EX) else { return false }
    turnEnd = Deadline.now + turn
    return true
  }

  private func lockDescriptorIfFree() throws -> Bool {
    guard try lockDescriptor(LOCK_EX | LOCK_NB) else { return false }
    let now = Deadline.now
    if now < turnEnd { return true }
    // Asked behind the lock: who waits longer has woken by it, or is about to, and stands there until then.
    if try turnstile(OpenFileLock.get, F_WRLCK) == F_UNLCK {
      turnEnd = now + turn
      return true
    }
    unlock()
    return false
  }

  private func lockDescriptor(_ operation: Int32) throws -> Bool {
    while flock(descriptor, operation) != 0 {
      let number = errno
      switch number {
      case EINTR: continue
      case EWOULDBLOCK where operation & LOCK_NB != 0: return false
      default: throw lockFailure(number)
      }
    }
    return true
  }

  /// Does something with the lock on the first byte; what the system made of the request.
  private func turnstile(_ command: Int32, _ type: Int32) throws -> Int32 {
    var request = flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 1, l_pid: 0)
    while fcntl(descriptor, command, &request) != 0 {
      let number = errno
      if number != EINTR { throw lockFailure(number) }
    }
    return Int32(request.l_type)
  }

  /// Commands of `fcntl`, as Linux numbers them: its header hides them without `_GNU_SOURCE`.
  private enum OpenFileLock {
    static let get: Int32 = 36
    static let set: Int32 = 37
    static let wait: Int32 = 38
  }

  private func lockFailure(_ number: Int32) -> StorageError {
    closeDescriptor()
    return StorageError.system(number, doing: "lock the file", path: path)
  }

  /// Whether the locked file is the one at the path.
  private func isAtPath() throws -> Bool {
    do {
      return try FileIdentity(path: path) == FileIdentity(descriptorStatus())
    } catch {
      closeDescriptor()
      throw error
    }
  }

  private func openDescriptor() throws {
    // Without O_NONBLOCK, opening a device or a pipe that is in the way could wait for ever.
    // What a link leads to is somebody's file, and would be written to.
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let number = errno
      if number == ELOOP { throw inTheWay() }
      throw StorageError.system(number, doing: "open the lock file", path: path)
    }
    do {
      let status = try descriptorStatus()
      // More than a line is not what a writer has left.
      guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Line.length else { throw inTheWay() }
    } catch {
      closeDescriptor()
      throw error
    }
  }

  private func inTheWay() -> StorageError {
    StorageError(.cannotCreate, "This is no lock file, and in the place of one. Move it away.", path: path)
  }

  private func descriptorStatus() throws -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw StorageError.system(errno, doing: "look at the lock file", path: path)
    }
    return status
  }

  private func closeDescriptor() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  // MARK: The line

  /// Reads the line, and writes this process into it. The file is locked.
  ///
  /// The process is there for people; that it cannot be written (a full disk) is no reason not to lock.
  func signLine() {
    line = Line(descriptor: descriptor)
    guard line.process != .current else { return }
    line.process = .current
    _ = write(line)
  }

  /// Records which file the store is, or that it is not known. The file is locked.
  func record(_ store: FileIdentity?) throws {
    var line = line
    line.store = store
    let number = write(line)
    if number != 0 { throw StorageError.system(number, doing: "write the lock file", path: path) }
    self.line = line
  }

  /// Writes the line in one piece; 0 or the error's number.
  private func write(_ line: Line) -> Int32 {
    let bytes = Array(line.text.utf8)
    while true {
      let count = pwrite(descriptor, bytes, bytes.count, 0)
      if count == bytes.count { return 0 }
      if count >= 0 { return ENOSPC }
      if errno != EINTR { return errno }
    }
  }

  /// The process that the lock file at a path names; `nil` if it names none or cannot be read. Needs no lock.
  static func process(namedAt path: String) -> ProcessIdentifier? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return Line(descriptor: descriptor).process
  }
}

extension LockFile {
  /// What a lock file says.
  struct Line: Hashable {
    var process: ProcessIdentifier?
    var store: FileIdentity?

    static let length = 64

    init(process: ProcessIdentifier? = nil, store: FileIdentity? = nil) {
      self.process = process
      self.store = store
    }

    /// Reads the line of an open file. An empty or unreadable one says nothing.
    init(descriptor: Int32) {
      var bytes = [UInt8](repeating: 0, count: Line.length)
      var count = pread(descriptor, &bytes, bytes.count, 0)
      while count < 0 && errno == EINTR { count = pread(descriptor, &bytes, bytes.count, 0) }
      self.init(parsing: String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self))
    }

    init(parsing text: String) {
      let line = text.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
      let words = line.split(separator: " ")
      self.init()
      guard words.count == 1 || words.count == 3, let number = Int32(words[0]), number > 0 else { return }
      process = ProcessIdentifier(number: number)
      guard words.count == 3, let device = UInt64(words[1]), let inode = UInt64(words[2]) else { return }
      store = FileIdentity(device: device, inode: inode)
    }

    /// Always of the same length, so that a line replaces the one before.
    var text: String {
      var words = "\(process?.number ?? 0)"
      if let store { words += " \(store.device) \(store.inode)" }
      return words + String(repeating: " ", count: max(Line.length - 1 - words.utf8.count, 0)) + "\n"
    }
  }
}

#if LMDB
import CLMDB
import Glibc
import SaverCore

extension LMDBOpening {
  /// The environment of the file; before it is opened, a lock file that belongs to another is taken away.
  ///
  /// LMDB keeps the number of the last transaction in its lock file. Beside a data file that took another's place it is
  /// wrong, and the last commit of the new file would be lost: LMDB picks a meta page by it.
  func environment(_ file: StoreFile, _ identity: FileIdentity) throws -> Environment {
    if let environment = EnvironmentRegistry.existing(identity) { return environment }
    let recorded = FileIdentity(recordedIn: file.lockPath)
    let isReplaced =
      recorded.map { $0 != identity } ?? false || EnvironmentRegistry.hasOther(than: identity, at: file.path)
    guard isReplaced else {
      return try EnvironmentRegistry.environment(path: file.path, mapSize: configuration.mapSizeMaxBytes)
    }
    let lock = WriterLock(path: file.lockPath)
    return try lock.withLock(until: deadline) {
      // Another process may have been first.
      if let identity = try file.identity(), lock.recordedStore != identity {
        if !identity.isKeptOpenByAnotherProcess() { unlink(file.path + "-lock") }
        try lock.record(identity)
      }
      return try EnvironmentRegistry.environment(path: file.path, mapSize: configuration.mapSizeMaxBytes)
    }
  }

  /// Records which file the store is, if the lock file does not say it: another program may have copied it here. A writer
  /// that is at work does it itself.
  func recordIfUnknown(_ environment: Environment) {
    let lock = environment.lock
    guard FileIdentity(recordedIn: lock.path) == nil else { return }
    guard (try? lock.acquire(until: Deadline(milliseconds: 0))) != nil else { return }
    defer { lock.release() }
    guard (try? FileIdentity(path: environment.path)) == environment.identity else { return }
    try? lock.record(environment.identity)
  }
}

extension Environment {
  /// A process, other than this one, that has the store open and is not known to look at its path; `nil` if there is
  /// none, as far as can be seen.
  ///
  /// LMDB has a lock on its lock file for as long as it has a store open, which shows whoever's the process is. One that
  /// leaves LMDB's locks out has the data file open, which shows for processes of this user.
  func stranger() -> Int32? {
    let notifyPath = NotifyFile.path(for: StoreFile(path: path))
    var found: Int32?
    for _ in 0..<20 {
      let known = Set(FileLocks.holders(of: notifyPath, .flock).map(\.process))
      let users = FileLocks.holders(of: path + "-lock", .posix).map(\.process)
      found = (users + FileIdentity.processes.filter { identity.isOpen(in: $0) }).first { process in
        !known.contains(process) && !FileIdentity.isBeingStarted(process)
      }
      // One that is just looking at what the file is, before it opens it as a store, or that is just starting a program,
      // is done in a moment.
      if found == nil { break }
      usleep(5_000)
    }
    return found
  }
}

extension FileIdentity {
  /// Whether a process other than this one has the file open and keeps it, as far as `/proc` shows. A child that another
  /// process is starting has, until it runs its program, what its parent has.
  func isKeptOpenByAnotherProcess() -> Bool {
    for _ in 0..<10 {
      if !isOpenInAnotherProcess() { return false }
      usleep(5_000)
    }
    return true
  }

  private func isOpenInAnotherProcess() -> Bool {
    Self.processes.contains { isOpen(in: $0) && !Self.isBeingStarted($0) }
  }

  fileprivate static var processes: [Int32] {
    ((try? StoreFolder(path: "/proc").names()) ?? []).compactMap { Int32($0) }.filter { $0 != getpid() }
  }

  fileprivate func isOpen(in process: Int32) -> Bool {
    let folder = "/proc/\(process)/fd"
    // Of another user's process it does not show.
    return ((try? StoreFolder(path: folder).names()) ?? []).contains { name in
      guard name.first?.isNumber == true else { return false }
      return (try? FileIdentity(path: "\(folder)/\(name)")) == self
    }
  }

  /// Whether this is a child of this process that does not run its program yet: all it has open is what this process
  /// had, and will be closed. However long that takes on a busy machine.
  fileprivate static func isBeingStarted(_ process: Int32) -> Bool {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    // proc(5): behind the name, which may hold anything, stand the state, the parent, four more, and the flags.
    let behindName = String(decoding: bytes[..<count], as: UTF8.self).split(separator: ")").last ?? ""
    let fields = behindName.split(separator: " ")
    guard fields.count > 6, Int32(fields[1]) == getpid(), let flags = UInt(fields[6]) else { return false }
    return flags & Self.forkedWithoutProgram != 0
  }

  /// `PF_FORKNOEXEC` of the kernel's `sched.h`.
  private static let forkedWithoutProgram: UInt = 0x40
}
#endif

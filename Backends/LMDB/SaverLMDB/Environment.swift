#if LMDB
import CLMDB
import Glibc
import SaverCore
import Synchronization

/// An open LMDB file: one for each file and process, shared by all stores that this process has open on it.
///
/// LMDB forbids a second one: closing either drops the locks of both. ``EnvironmentRegistry`` keeps count.
final class Environment: @unchecked Sendable {
  static let readersMax = 1_024
  private static let databasesMax = 128

  /// The file, links resolved.
  let path: String
  let identity: FileIdentity
  /// What all our writers queue on: LMDB's own writer mutex, behind it, knows no limit of time.
  let lock: WriterLock
  let gate = TransactionGate()

  // MARK: Mutable state
  //
  // `pointer` is LMDB's and made for many threads; it never changes, and is closed by whoever drops the last reference
  // in the registry.
  // `handles` are the databases that are open, by name: guarded by its mutex, which is held for as long as a
  // transaction opens databases, because LMDB allows one such transaction at a time.
  // `clearedReaders` only grows.
  let pointer: OpaquePointer
  /// The notify file, with a shared `flock`: by that, a process that has the store open is known to be one that
  /// notices another file at the store's path: before it writes, before it reads, or when it hears of it. -1 for a file that
  /// nobody else knows of. Never changes.
  private let mark: Int32
  /// LMDB's own, of the data file. Never changes.
  private let descriptor: Int32
  /// When the file was last found at the path; from before that look.
  private let standing = Guarded<Standing?>(nil)
  let handles = Guarded<[String: MDB_dbi]>([:])
  private let clearedReaders = Atomic(0)
  /// A reading transaction that nobody uses: reset, so that it keeps no snapshot, but with its place in the table of
  /// readers. To renew it takes a tenth of the time that beginning one takes, which locks the table. Whoever takes it out
  /// owns it.
  private let spareReader = Atomic<OpaquePointer?>(nil)
  /// Only ever becomes true.
  private let keepsReader = Atomic(false)

  /// Opens the file, or makes it.
  ///
  /// - Parameters:
  ///   - mapSize: bytes of address space; halved while the system refuses, down to what the file needs.
  ///   - isShared: whether other processes may have it open too, and are to know.
  init(path: String, mapSize: Int, isShared: Bool = false) throws {
    self.path = path
    lock = WriterLock(path: path + "-writer")
    // First: whoever has the data file open has this, too.
    let mark = isShared ? Self.openMark(path) : -1
    self.mark = mark
    do {
      pointer = try Self.open(path, mapSize: mapSize)
    } catch {
      if mark >= 0 { Glibc.close(mark) }
      throw error
    }
    var descriptor: Int32 = -1
    var status = stat()
    // LMDB lets a program that this one starts inherit the data file. Others would take that program for one that has the
    // store open.
    guard mdb_env_get_fd(pointer, &descriptor) == 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
      fstat(descriptor, &status) == 0
    else {
      let number = errno
      mdb_env_close(pointer)
      if mark >= 0 { Glibc.close(mark) }
      throw StorageError.system(number, doing: "look at the store", path: path)
    }
    self.descriptor = descriptor
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Whether another file is at the store's path. Asked before each read: as long as nothing was done to this file, neither
  /// written nor renamed, linked or replaced, it costs a quarter of what looking at the path does.
  func isReplaced() -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let now = Standing(status)
    if standing.withLock({ $0 }) == now { return false }
    guard let found = try? FileIdentity(path: path) else { return false }
    if found != identity { return true }
    if now.isSettled { standing.withLock { $0 = now } }
    return false
  }

  /// What a rename, a link or a commit changes of a file.
  private struct Standing: Equatable {
    let names: UInt
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
      names = UInt(status.st_nlink)
      (seconds, nanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }

    /// Whether whatever is done to the file from now on gets another time: file systems count in ticks of up to 10 ms.
    var isSettled: Bool {
      var time = timespec()
      return clock_gettime(CLOCK_REALTIME, &time) == 0 && time.tv_sec - seconds >= 2
    }
  }

  /// Where it cannot be had, the process is taken for a stranger: nothing is compacted under it.
  private static func openMark(_ path: String) -> Int32 {
    let notifyPath = NotifyFile.path(for: StoreFile(path: path))
    let flags = O_RDONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
    let mark = Glibc.open(notifyPath, flags, 0o600)
    if mark >= 0 { flock(mark, LOCK_SH | LOCK_NB) }
    return mark
  }

  private static func open(_ path: String, mapSize: Int) throws -> OpaquePointer {
    try ReaderTable.make(for: path)
    var size = mapSize
    while true {
      var created: OpaquePointer?
      var result = mdb_env_create(&created)
      guard result == 0, let environment = created else {
        throw StorageError(lmdb: result, doing: "opening the store", path: path)
      }
      mdb_env_set_maxreaders(environment, UInt32(readersMax))
      mdb_env_set_maxdbs(environment, UInt32(databasesMax))
      mdb_env_set_mapsize(environment, size)
      result = mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR | MDB_NOTLS), 0o600)
      if result == 0 { return environment }
      // After a failure nothing can be done with it but this.
      mdb_env_close(environment)
      // LMDB itself never goes below what the file needs, so the halving ends there, by ENOMEM again.
      guard result == ENOMEM, size > 1 << 20 else {
        throw StorageError(lmdb: result, doing: "opening the store", path: path)
      }
      size /= 2
    }
  }

  func close() {
    if let spare = spareReader.exchange(nil, ordering: .acquiring) { mdb_txn_abort(spare) }
    mdb_env_close(pointer)
    if mark >= 0 { Glibc.close(mark) }
  }

  // MARK: Transactions

  /// From now on the environment keeps one reader for whoever reads next, until it is closed. For a process that reads
  /// again and again: if it is killed, the reader's place stays taken until somebody finds none free.
  func keepReader() { keepsReader.store(true, ordering: .relaxed) }

  /// Begins a transaction, which ``end(_:)`` or ``commit(_:)`` must end.
  ///
  /// - Parameter deadline: for waiting until this process has no transaction open, if another has let the store outgrow
  ///   this one's map.
  func begin(writing: Bool, until deadline: Deadline) throws -> OpaquePointer {
    let action = writing ? "beginning to write" : "beginning to read"
    var hasCheckedReaders = false
    while true {
      guard gate.enter() else {
        throw StorageError(
          .inputOutput, "The system refused memory when the store outgrew its map. Open the store again.", path: path)
      }
      if !writing, let spare = spareReader.exchange(nil, ordering: .acquiring) {
        if mdb_txn_renew(spare) == 0 { return spare }
        // To begin in the ordinary way says why.
        mdb_txn_abort(spare)
      }
      var transaction: OpaquePointer?
      let result = mdb_txn_begin(pointer, nil, writing ? 0 : UInt32(MDB_RDONLY), &transaction)
      if result == 0, let transaction { return transaction }
      gate.leave()
      if result == MDB_MAP_RESIZED, try adoptMapSize(until: deadline) { continue }
      if result == MDB_READERS_FULL, !hasCheckedReaders {
        hasCheckedReaders = true
        clearStaleReaders()
        continue
      }
      throw StorageError(lmdb: result, doing: action, path: path)
    }
  }

  /// Ends a transaction; what it wrote is gone.
  ///
  /// - Parameter isReader: it has not written, and may be kept.
  func end(_ transaction: OpaquePointer, isReader: Bool = false) {
    if isReader, keepsReader.load(ordering: .relaxed) {
      mdb_txn_reset(transaction)
      if let other = spareReader.exchange(transaction, ordering: .acquiringAndReleasing) { mdb_txn_abort(other) }
    } else {
      mdb_txn_abort(transaction)
    }
    gate.leave()
  }

  /// Commits a transaction, durably. It has ended whatever comes of it.
  func commit(_ transaction: OpaquePointer) throws {
    let result = mdb_txn_commit(transaction)
    gate.leave()
    if result == 0 { return }
    var error = StorageError(lmdb: result, doing: "committing", path: path)
    // Short of memory, LMDB gives up before it writes anything.
    if error.code == .inputOutput && result != ENOMEM {
      error.code = .unknownOutcome
      error.message =
        "The disk failed while the commit was being written: after a crash it may be there or not. Check the disk"
        + " and the space on it."
    }
    throw error
  }

  /// Takes over the size of the map from the file: another process, with a larger setting, has used more than ours.
  private func adoptMapSize(until deadline: Deadline) throws -> Bool {
    try gate.whenEmpty(until: deadline) {
      let result = mdb_env_set_mapsize(pointer, 0)
      if result != 0 { throw StorageError(lmdb: result, doing: "enlarging the map", path: path) }
    }
  }

  // MARK: Readers

  /// Frees the reader slots of processes that were killed; returns how many there were.
  @discardableResult
  func clearStaleReaders() -> Int {
    var dead: Int32 = 0
    guard mdb_reader_check(pointer, &dead) == 0 else { return 0 }
    clearedReaders.add(Int(dead), ordering: .relaxed)
    return Int(dead)
  }

  /// How many slots of killed processes this process has freed since it opened the file.
  var staleReadersCleared: Int { clearedReaders.load(ordering: .relaxed) }

  /// Frees slots of killed processes if the oldest reader is behind: it keeps pages from being used again.
  func clearStaleReadersIfBehind() {
    let last = information.me_last_txnid
    if readers().contains(where: { $0.transaction < last }) { clearStaleReaders() }
  }

  /// The readers of all processes that are in a transaction.
  func readers() -> [(process: Int32, transaction: Int)] {
    takenPlaces().compactMap { place in place.transaction.map { (place.process, $0) } }
  }

  /// The places in the table of readers that a process has taken; `nil` where it is in no transaction.
  func takenPlaces() -> [(process: Int32, transaction: Int?)] {
    final class Lines { var places: [(process: Int32, transaction: Int?)] = [] }
    let lines = Lines()
    // A heading, then "process thread transaction"; a slot that is taken but idle has "-".
    let result = mdb_reader_list(
      pointer,
      { text, context in
        guard let text, let context else { return 0 }
        let words = String(cString: text).split(whereSeparator: { $0 == " " || $0 == "\n" })
        if words.count == 3, let process = Int32(words[0]) {
          Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().places.append((process, Int(words[2])))
        }
        return 0
      }, Unmanaged.passUnretained(lines).toOpaque())
    return result < 0 ? [] : withExtendedLifetime(lines) { lines.places }
  }

  var information: MDB_envinfo {
    var information = MDB_envinfo()
    mdb_env_info(pointer, &information)
    return information
  }
}
#endif

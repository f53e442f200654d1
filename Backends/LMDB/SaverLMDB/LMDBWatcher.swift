#if LMDB
import CLMDB
import Glibc
import SaverCore

/// Reads as the engine does: between two snapshots it keeps its place in the table of readers, and no page.
///
/// Used by one thread at a time.
final class LMDBWatcher: EngineWatcher, @unchecked Sendable {
  private let engine: LMDBEngine

  // MARK: Mutable state
  // Owned by whoever uses the watcher.
  /// Which of the engine's files was looked after last.
  private var turn: UInt64
  /// The commit that the last look found written and not begun at; `nil` if there was none.
  private var hidden: Int?
  /// How many page faults the thread had taken when the pages of the map were released.
  private var faultsAtRelease = pageFaults

  /// A commit lies on pages all over a large file, and at a fault the kernel takes sixteen into a process's memory: 250 KiB
  /// for a commit to 1,000,000 records, so that who follows a store would seem to need a tenth of it. So they are released
  /// after this many faults, 15 MiB if all of them are the map's.
  private static let faultsBetweenReleases = 240
  /// A file that is no larger stays in memory as a whole: LMDB writes to all of its free pages in turn, so that
  /// almost each page that is read for a commit would be missing.
  private static let sizeThatStays = 32 << 20

  init(_ engine: LMDBEngine) {
    self.engine = engine
    let file = engine.file
    turn = file.turn
    file.environment.keepReader()
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    // Whether the file was replaced is asked when something has happened to its name.
    try engine.withTransaction(writing: false, until: engine.deadline) { try body($0) }
  }

  func didPublish() {
    let faults = Self.pageFaults
    // On another thread than before there may be fewer: nobody knows how many since.
    guard faults < faultsAtRelease || faults >= faultsAtRelease + Self.faultsBetweenReleases else { return }
    faultsAtRelease = faults
    // If it fails, the pages stay where they are.
    try? engine.withTransaction(writing: false, until: engine.deadline) {
      try $0.releasePages(ofMoreThan: Self.sizeThatStays)
    }
  }

  /// How often the thread found a page of memory missing that the system had at hand.
  private static var pageFaults: Int {
    // `RUSAGE_THREAD` of Linux; the header of glibc shows it to GNU sources only.
    let thread = __rusage_who_t(1)
    var usage = rusage()
    getrusage(thread, &usage)
    return usage.ru_minflt
  }

  func lookAfterStore() throws -> StorePlace {
    let place = try engine.adoptReplacement(until: engine.deadline)
    let file = engine.file
    // A write may have been first to notice.
    let isReplaced = file.turn != turn
    turn = file.turn
    if isReplaced {
      hidden = nil
      file.environment.keepReader()
    }
    if place == .missing { return .missing }
    try showHiddenCommit(file)
    return isReplaced ? .replaced : .unchanged
  }

  /// A writer that is killed after its commit is on the disk, and before readers are told, leaves it hidden until somebody
  /// writes. To begin to write is enough: LMDB finds the dead writer by its mutex.
  ///
  /// Every commit looks so for the moment that the disk needs: only one that is found twice is taken for left behind.
  private func showHiddenCommit(_ file: OpenFile) throws {
    let written = file.environment.information.me_last_txnid
    var seen = written
    try engine.withTransaction(file, writing: false, until: engine.deadline) { seen = mdb_txn_id($0.transaction) }
    guard written > seen else {
      hidden = nil
      return
    }
    defer { hidden = written }
    // Who has the lock is about to write, or has just done so.
    guard hidden == written, (try? file.environment.lock.acquire(until: Deadline(milliseconds: 0))) != nil else {
      return
    }
    defer { file.environment.lock.release() }
    try engine.withTransaction(file, writing: true, until: engine.deadline) { _ in }
  }
}
#endif

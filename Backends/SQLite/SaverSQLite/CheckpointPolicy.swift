#if SQLite
import CSQLite
import Glibc
import SaverCore

/// When the write-ahead log is copied into the store's file.
///
/// Only under the writer lock, and with SQLite's own write lock held by a second connection, so that no foreign commit
/// runs beside it: SQLite 3.7.0 to 3.51.2 can lose a commit that restarts the log while a checkpoint runs.
///
/// Isolation: used by the thread that has the writer lock.
struct CheckpointPolicy {
  /// Below this many frames the log is left alone.
  static let framesMin = 1_000
  /// Every so many more it is tried again: readers may have been in the way.
  static let framesStep = 250
  /// Past this the checkpoint waits for readers of old snapshots, so that the log can begin anew.
  static let framesRestart = 8_000
  /// How long that may take; everybody who wants to write waits meanwhile.
  static let waitMilliseconds = 50

  /// How long the log was when it was last tried.
  private var attemptedAt = 0

  /// Whether a log of `frames` frames is to be copied now.
  mutating func isDue(_ frames: Int) -> Bool {
    // A shorter log than before is a new one.
    if frames < attemptedAt { attemptedAt = 0 }
    guard frames >= max(Self.framesMin, attemptedAt + Self.framesStep) else { return false }
    attemptedAt = frames
    return true
  }

  /// Called after a commit. A checkpoint that fails costs nothing but the log's length; the commit stands.
  ///
  /// Always PASSIVE: the modes that wait for readers take SQLite's write lock themselves, and where a foreign writer has
  /// it, go on without it.
  mutating func checkpoint(_ connection: Connection, _ pool: ConnectionPool) {
    let frames = connection.walFrames
    guard isDue(frames) else { return }
    let deadline = Deadline(milliseconds: Self.waitMilliseconds)
    connection.deadline = deadline
    Self.copyLog(connection, pool, waitingForReaders: frames > Self.framesRestart, until: deadline)
  }

  /// Copies the log into the file under SQLite's write lock: as much as readers let it, or, if it waits for them, all.
  private static func copyLog(
    _ connection: Connection, _ pool: ConnectionPool, waitingForReaders: Bool, until deadline: Deadline
  ) {
    guard let guardian = try? pool.take(until: deadline) else { return }
    defer { pool.give(guardian) }
    guard (try? guardian.run("BEGIN IMMEDIATE", doing: "checkpointing")) != nil else { return }
    defer { guardian.rollBack() }
    var (inLog, copied): (Int32, Int32) = (0, 0)
    while sqlite3_wal_checkpoint_v2(connection.pointer, "main", SQLITE_CHECKPOINT_PASSIVE, &inLog, &copied) == SQLITE_OK
    {
      // When all of it is copied, new readers leave the log alone, and the next commit begins it anew.
      guard waitingForReaders, copied < inLog, !deadline.hasPassed else { return }
      usleep(1_000)
    }
  }

  /// Copies the whole log into the file and cuts it to nothing, if neither a reader nor another program is in the way.
  ///
  /// Everybody who wants to write waits meanwhile, so it waits no longer than any checkpoint does.
  ///
  /// - Returns: whether nothing is left of the log.
  mutating func emptyLog(_ connection: Connection, _ pool: ConnectionPool) -> Bool {
    let deadline = Deadline(milliseconds: Self.waitMilliseconds)
    connection.deadline = deadline
    Self.copyLog(connection, pool, waitingForReaders: false, until: deadline)
    // It takes SQLite's write lock itself. Where another program has that, it would go on without, beside a commit.
    connection.deadline = Deadline(milliseconds: Self.waitMilliseconds)
    connection.isInterruptedWhenLate = true
    defer { connection.isInterruptedWhenLate = false }
    let result = sqlite3_wal_checkpoint_v2(connection.pointer, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if result == SQLITE_OK { attemptedAt = 0 }
    return result == SQLITE_OK
  }
}
#endif

#if SQLite
import CSQLite
import FoundationEssentials
import Glibc
import SaverCore

extension SQLiteEngine {
  func compact() throws -> CompactionReport {
    let before = size
    let remainder = try rewrite(until: deadline)
    return CompactionReport(bytesBefore: before, bytesAfter: size, remainder: remainder)
  }

  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
    let limit = deadline
    var forgotten: [UUID] = []
    try write(operation) { transaction in
      guard let transaction = transaction as? SQLiteTransaction else { return }
      let last = try HistoryLog.end(transaction.connection)
      for id in ids where try !forgotten.contains(id) && transaction.forget(type, id, behind: last) {
        forgotten.append(id)
      }
    }
    if forgotten.isEmpty { return ForgettingReport(forgotten: []) }
    // What comes now changes nothing of that: the records are gone.
    do {
      return ForgettingReport(forgotten: forgotten, remainder: try rewrite(until: limit))
    } catch let error as StorageError {
      return ForgettingReport(forgotten: forgotten, remainder: error.description)
    }
  }

  /// Writes the file anew, without free pages and without what deleted content has left in others, and empties the log,
  /// in which the old pages are.
  ///
  /// Between two tries to empty the log others may write: a reader can stay for long.
  ///
  /// - Returns: why the log could not be emptied until the deadline; `nil` if it was.
  func rewrite(until limit: Deadline) throws -> String? {
    var isRewritten = false
    while true {
      let isDone = try lock.withLock(until: limit) {
        let store = try storeForWriting(until: limit)
        let connection = try store.writer(opening.configuration, until: limit)
        if !isRewritten {
          // Of a restore that was killed: a copy of a backup.
          _ = try? file.removeStaleTemporaries()
          try connection.vacuumSecurely()
          isRewritten = true
        }
        return store.checkpoints.emptyLog(connection, store.pool)
      }
      if isDone {
        NotifyFile.touch(notifyPath)
        return nil
      }
      if limit.hasPassed { return obstacle() }
      usleep(20_000)
    }
  }

  private func obstacle() -> String {
    // Whoever reads a snapshot has a lock on one of five bytes of the log's index.
    let processes = FileLocks.holders(of: file.path + "-shm", .posix, includingThis: true, bytes: 123...127)
      .map { $0.process == getpid() ? "this process" : "process \($0.process)" }
    let who = processes.isEmpty ? "another program" : processes.joined(separator: " and ")
    return "The log '\(file.name)-wal' still holds earlier content, because \(who) kept reading an earlier state."
      + " When it has ended, compact the store again."
  }

  /// Of the file and its log.
  private var size: Int {
    ["", "-wal"].reduce(0) { sum, ending in
      guard case .file(let size, _) = FileStatus(path: file.path + ending) else { return sum }
      return sum + Int(size)
    }
  }
}

extension Connection {
  /// Writes the file anew; what is deleted meanwhile is overwritten. It is so always where SQLite was built so; where it was
  /// not, later writes are not to pay for it.
  fileprivate func vacuumSecurely() throws {
    let before = try integer("PRAGMA secure_delete")
    defer {
      try? execute("PRAGMA secure_delete = \(before == 2 ? "FAST" : "\(before)")", doing: "compacting the store")
    }
    // The copy of a large store may not fit into memory.
    defer { try? execute("PRAGMA temp_store = MEMORY", doing: "compacting the store") }
    try execute("PRAGMA temp_store = FILE; PRAGMA secure_delete = ON; VACUUM", doing: "compacting the store")
  }
}
#endif

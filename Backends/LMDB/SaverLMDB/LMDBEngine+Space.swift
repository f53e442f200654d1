#if LMDB
import CLMDB
import FoundationEssentials
import Glibc
import SaverCore

extension LMDBEngine {
  func compact() throws -> CompactionReport {
    let before = size
    try rewrite(until: deadline)
    return CompactionReport(bytesBefore: before, bytesAfter: size)
  }

  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport {
    let limit = deadline
    var forgotten: [UUID] = []
    try write(operation) { transaction in
      guard let transaction = transaction as? LMDBTransaction else { return }
      for id in ids where try !forgotten.contains(id) && transaction.forget(type, id) { forgotten.append(id) }
    }
    if forgotten.isEmpty { return ForgettingReport(forgotten: []) }
    // What comes now changes nothing of that: the records are gone.
    do {
      try rewrite(until: limit)
      return ForgettingReport(forgotten: forgotten)
    } catch let error as StorageError {
      return ForgettingReport(forgotten: forgotten, remainder: error.description)
    }
  }

  /// Puts a compacted copy in the place of the store's file: LMDB cannot make a file smaller, nor erase what is in free
  /// pages and in the gaps of others.
  ///
  /// Processes of ours look at the path whenever they read, and under the writer lock before they write, and go on with
  /// the new file; what they read at this moment they read to its end in the old one. Programs that use LMDB alone would
  /// go on in the old one for ever, and lose what they write: while one has the store open, nothing is done.
  ///
  /// Whoever opens the store at this moment may get the lock file of the one and the data of the other: that is noticed
  /// by the data file having changed (``LMDBOpening``), because the new one gets its name first, and the lock file goes
  /// then. A process that is killed in between has left what any replacement leaves: the writer lock's record is of the
  /// old file, and the next to open the store removes the lock file.
  ///
  /// - Throws: ``StorageError``: `busy` if another program has the store open.
  func rewrite(until limit: Deadline) throws {
    let file = try lockFile(until: limit)
    do {
      let environment = file.environment
      defer { environment.lock.release() }
      try requireNoStranger(environment)
      let place = StoreFile(path: environment.path)
      try place.removeStaleTemporaries()
      let temporary = try place.makeTemporary()
      // LMDB's own writer mutex: a program that opens the store after all waits with what it wants to write.
      let holding = try environment.begin(writing: true, until: limit)
      defer { environment.end(holding) }
      do {
        try LMDBBackup.write(
          file, to: temporary.path, mapSize: opening.configuration.mapSizeMaxBytes, until: limit)
        try requireNoStranger(environment)
      } catch {
        temporary.removeWithCompanions()
        throw (error as? StorageError)?.ofUnfinished(temporary.path, as: path) ?? error
      }
      try replace(place, by: temporary, environment)
    }
    _ = try adoptReplacement(until: limit)
    NotifyFile.touch(file.notifyPath)
  }

  /// Durable before anybody can write to the new file: the writer lock is held.
  private func replace(_ place: StoreFile, by temporary: StoreFile, _ environment: Environment) throws {
    guard rename(temporary.path, place.path) == 0 else {
      let number = errno
      temporary.removeWithCompanions()
      throw StorageError.system(number, doing: "put the compacted store in place", path: path)
    }
    // It belongs to the file that was there; the next to open the store makes another.
    unlink(place.path + "-lock")
    if let new = try? place.identity() { try? environment.lock.record(new) }
    temporary.removeWithCompanions()
    try place.folder.synchronize()
  }

  private func requireNoStranger(_ environment: Environment) throws {
    guard let process = environment.stranger() else { return }
    throw StorageError(
      .busy,
      "Process \(process) has the store open and is no program of this kind: it would lose what it writes if the file"
        + " were replaced. Close it, and compact the store then.", path: path)
  }

  private var size: Int {
    if case .file(let size, _) = FileStatus(path: environment.path) { Int(size) } else { 0 }
  }
}
#endif

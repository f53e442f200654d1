public import FoundationEssentials

/// What an engine does for the care of a store: a part of ``Engine``. Callers see the same on ``Store``.
///
/// All of it happens while other threads and processes read, write and watch. Whatever kills the process, the store has
/// its old content or its new one, whole, and a file under a name that was asked for is complete.
///
/// A path that a caller gives is a *base or a file*, as ``StoreLocation/base`` is: an engine appends its extension unless
/// it is there.
public protocol EngineMaintenance {
  /// Writes what is committed now into a new file, which opens as a store of its own with the same identity and history.
  ///
  /// Made with ``NewFile``: nobody sees half of it, and what is there already is left alone unless `overwriting` is set.
  /// Other writers wait no longer than for an ordinary read.
  ///
  /// Only called if the capabilities say that the store can be backed up (``StoreCapabilities/canBackUp``).
  ///
  /// - Throws: ``StorageError``: `fileExists`; `corrupt` if the copy is not sound; whatever making a file throws.
  func backUp(to base: String, overwriting: Bool) throws -> BackupReport

  /// Replaces the content of the store by that of a backup, in one commit, as a writer among others.
  ///
  /// The store keeps its identity, and a new branch of its history begins (``EngineReadTransaction/historyBranch()``)
  /// with an entry of the kind ``HistoryChange/Kind/unknown`` behind everything that either history ever had: so every
  /// token from before is told apart. A backup with an earlier schema is migrated first. The file itself is only read.
  ///
  /// Only called if the capabilities say that the store can be backed up.
  ///
  /// - Parameter overwriting: whether a store that has records may be replaced.
  /// - Throws: ``StorageError``, and nothing has changed: `notEmpty`; of the file, `noSuchStore`, `foreignFile`, `corrupt`,
  ///   `unsupportedFormat`, `schemaMismatch`, `busy` if it is a store that somebody has open.
  func restore(from base: String, overwriting: Bool, _ operation: WriteOperation) throws -> RestoreReport

  /// Gives space that the store no longer needs back to the file system. Changes nothing that can be read; tokens stay
  /// good.
  ///
  /// - Throws: ``StorageError``: `busy` if another program is in the way, with which one; nothing has changed.
  func compact() throws -> CompactionReport

  /// Removes records and every trace of what they held: the rows, their places in indexes, the old rows of these ids in
  /// the history, and the bytes that all of this has left in the store's files.
  ///
  /// The entries of the history stay, without their old rows, so that tokens stay good. For each id that the store had,
  /// as a record or in its history, the operation adds an entry of the kind `delete` without an old row.
  ///
  /// - Returns: which ids there were. What could not be erased within the deadline is no error: the records are gone, and
  ///   the report says what is left to do.
  func forget(_ type: RecordType, _ ids: [UUID], _ operation: WriteOperation) throws -> ForgettingReport
}

/// A backup that was made.
public struct BackupReport: Hashable, Sendable {
  /// The file, with the engine's extension.
  public var path: String
  /// Its size in bytes.
  public var size: Int

  public init(path: String, size: Int) {
    self.path = path
    self.size = size
  }
}

/// A backup that was put into a store.
public struct RestoreReport: Hashable, Sendable {
  /// The file that it came from, with the engine's extension if that was appended.
  public var path: String

  public init(path: String) {
    self.path = path
  }
}

/// What compacting has given back.
public struct CompactionReport: Hashable, Sendable {
  /// The sizes of the store's files in bytes, all together.
  public var bytesBefore: Int
  public var bytesAfter: Int
  /// Why not all was given back, and what to do, for people; `nil` if it was.
  public var remainder: String?

  public init(bytesBefore: Int, bytesAfter: Int, remainder: String? = nil) {
    self.bytesBefore = bytesBefore
    self.bytesAfter = bytesAfter
    self.remainder = remainder
  }
}

/// What has been forgotten.
public struct ForgettingReport: Hashable, Sendable {
  /// The ids that the store had, as records or in its history; the others it never heard of.
  public var forgotten: [UUID]
  /// Why traces are left in the store's files, and until when, for people; `nil` if there are none.
  public var remainder: String?

  public init(forgotten: [UUID], remainder: String? = nil) {
    self.forgotten = forgotten
    self.remainder = remainder
  }
}

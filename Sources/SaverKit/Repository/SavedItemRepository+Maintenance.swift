import FoundationEssentials
public import SaverCore

/// The care of a store, while others read, write and watch.
extension SavedItemRepository {
  /// Writes what is committed now into a new file, which opens as a store of its own.
  ///
  /// - Parameters:
  ///   - base: a path without the engine's extension, or with it. Its folder exists.
  ///   - force: replaces a file of this name; of a link, the link itself.
  /// - Throws: ``StorageError``: `fileExists`, `unsupported` if the engine keeps no file, and what making a file throws.
  @discardableResult
  public func backUp(to base: String, force: Bool = false) async throws -> BackupReport {
    try await block { try $0.backUp(to: base, overwriting: force) }
  }

  /// Replaces everything in the store by what a backup holds; every list in every process shows it. Cannot be undone.
  ///
  /// - Parameters:
  ///   - base: the backup; a path without the engine's extension, or with it, or any name.
  ///   - force: replaces items, too.
  /// - Throws: ``StorageError``, and nothing has changed: `notEmpty` without `force`; what is wrong with the backup.
  @discardableResult
  public func restore(from base: String, force: Bool = false) async throws -> RestoreReport {
    try await block { try $0.restore(from: base, overwriting: force) }
  }

  /// Gives space that the store no longer needs back to the file system.
  ///
  /// - Throws: ``StorageError``: `busy` if another program is in the way; nothing has changed.
  @discardableResult
  public func compact() async throws -> CompactionReport {
    try await block { try $0.compact() }
  }

  /// Removes all the named items and every trace of their content, or none. Cannot be undone, nor can what was done to
  /// them before.
  ///
  /// - Parameter references: of items; or, as whole ids, of items that were deleted and that the history still knows.
  /// - Returns: the ids that were forgotten, and whether traces are left.
  /// - Throws: ``ItemReferenceError`` if one names no item, or several.
  @discardableResult
  public func forget(_ references: [ItemReference]) async throws -> ForgettingReport {
    try await block { store in
      let ids = try store.read { try $0.resolveForgetting(references) }
      return try store.forget(SavedItem.self, ids: ids)
    }
  }
}

extension TransactionReading where Self: ~Copyable {
  /// The ids that references name, each once: of items, and, of whole ids, of what the history knows.
  fileprivate func resolveForgetting(_ references: [ItemReference]) throws -> [UUID] {
    var missing: Set<UUID> = []
    var ids: [UUID] = []
    for reference in references {
      let id: UUID
      if let whole = reference.wholeID {
        id = whole
        if try record(SavedItem.self, id: id) == nil { missing.insert(id) }
      } else {
        id = try resolve([reference])[0]
      }
      if !ids.contains(id) { ids.append(id) }
    }
    if missing.isEmpty { return ids }
    let name = SavedItem.schema.type.name
    try engine.changes(after: 0) { change, _ in
      if change.type == name { missing.remove(change.id) }
      return !missing.isEmpty
    }
    for reference in references {
      if let id = reference.wholeID, missing.contains(id) { throw ItemReferenceError.notFound(reference) }
    }
    return ids
  }
}

extension ItemReference {
  /// The id, if all of it was said.
  fileprivate var wholeID: UUID? { digits.utf8.count == 32 ? range.lowerBound : nil }
}

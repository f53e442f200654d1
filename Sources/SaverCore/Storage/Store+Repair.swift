extension Store {
  /// Mends what can be mended without losing a record: indexes are built anew from the rows, what another program has
  /// dropped is made again, and what killed processes have left is cleared away.
  ///
  /// A store that has nothing wrong with it is not written to.
  ///
  /// - Returns: what was mended, in sentences for people; never anybody's text.
  /// - Throws: ``StorageError``; what could not be mended is as it was.
  public func repair() throws -> [String] {
    let mended = try engine.repair()
    if !mended.isEmpty { observer.committed() }
    return mended
  }
}

extension Engine {
  /// Engines that nothing can happen to have nothing to mend.
  public func repair() throws -> [String] { [] }
}

extension StoreFile {
  /// Removes what killed processes have left of stores that they were making here; what was done, in sentences.
  ///
  /// Call it while holding the store's writer lock.
  public func clearTemporaries() throws -> [String] {
    let names = try removeStaleTemporaries()
    if names.isEmpty { return [] }
    return ["\(names.count) files that were left of a store that was never completed are gone."]
  }
}

extension StoreFile {
  /// The file that a caller means by the name of a backup: with the engine's extension if there is such a file, and
  /// otherwise as it was said.
  ///
  /// - Parameter store: the store that it is for, which is no backup of itself.
  /// - Throws: ``StorageError``: `noSuchStore`; `foreignFile` if it is no regular file, or is empty or the store.
  public static func backup(
    at base: String, withExtension fileExtension: String, notBeing store: FileIdentity?
  ) throws -> StoreFile {
    let named = StoreFile(path: StoreLocation(base: base).path(withExtension: fileExtension))
    let given = StoreFile(path: base)
    var file = named
    if case .missing = named.status, case .file = given.status { file = given }
    if case .missing = file.status { throw StorageError(.noSuchStore, "There is no such file.", path: named.path) }
    guard try file.requireRegularFile(as: file.path) != store else {
      throw StorageError(.foreignFile, "This is the store itself, and no backup of it.", path: file.path)
    }
    return file
  }
}

extension StorageError {
  /// A store that was to be replaced has records.
  public static func notEmpty(path: String?, fileID: String = #fileID, line: Int = #line) -> StorageError {
    StorageError(
      .notEmpty, "The store has records, which would be lost. Allow that they are replaced, or back them up first.",
      path: path, fileID: fileID, line: line)
  }
}

public import SaverCore

extension SavedItemRepository {
  /// Copies all items, as they are at one moment, into a store of another backend, or of the same one elsewhere, and
  /// reads them back to compare: ids, texts, tags and dates are kept.
  ///
  /// - Throws: ``StorageError``, and then the destination is as it was, as
  ///   ``StorageBackend/copy(_:_:to:configuration:options:)`` says.
  public func copy<Backend: StorageBackend>(
    to _: Backend.Type, at location: StoreLocation, configuration: Backend.Configuration,
    options: CopyOptions = CopyOptions()
  ) async throws -> StoreCopy {
    try await block { store in
      try Backend.copy(
        store, [SavedItem.schema.type], to: location, configuration: configuration, options: options)
    }
  }

  /// How many items there are, and a digest of all that they are: equal in stores that hold the same items, whichever
  /// engine keeps them.
  public func content() async throws -> StoreContent {
    try await read { try $0.content(of: [SavedItem.schema.type]) }
  }
}

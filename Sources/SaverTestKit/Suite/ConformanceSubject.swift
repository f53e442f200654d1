public import SaverCore

/// What the suite is run on: a way to open stores of one backend.
public struct ConformanceSubject: Sendable {
  public let name: String
  /// What the stores claim to be able to do. Checks of what is not claimed are passed over, and one check holds every
  /// store to exactly this.
  public let capabilities: StoreCapabilities
  /// Whether a query that an index fits reads little more than its results. A reference engine may look at every row.
  public let usesIndexes: Bool
  /// How long something is waited for that must come; less if it is expected not to.
  var patienceSeconds = Threads.secondsMax
  let open: @Sendable (StoreLocation, [RecordType]) throws -> Store
  /// Copies a store into one of the backend; `nil` if the subject is no backend.
  var copy: (@Sendable (Store, [RecordType], StoreLocation, CopyOptions) throws -> StoreCopy)?

  /// - Parameter open: opens the store at a location, or makes it; called with the same location again to reopen it,
  ///   when no store of it is open any more, and while another is.
  public init(
    name: String, capabilities: StoreCapabilities, usesIndexes: Bool = true,
    open: @escaping @Sendable (StoreLocation, [RecordType]) throws -> Store
  ) {
    self.name = name
    self.capabilities = capabilities
    self.usesIndexes = usesIndexes
    self.open = open
  }

  /// Stores of a backend.
  public init<Backend: StorageBackend>(
    _: Backend.Type, configuration: Backend.Configuration = Backend.defaultConfiguration,
    capabilities: StoreCapabilities, usesIndexes: Bool = true
  ) {
    self.init(name: Backend.name, capabilities: capabilities, usesIndexes: usesIndexes) { location, types in
      try Backend.open(location, types: types, configuration: configuration)
    }
    copy = { source, types, location, options in
      try Backend.copy(source, types, to: location, configuration: configuration, options: options)
    }
  }
}

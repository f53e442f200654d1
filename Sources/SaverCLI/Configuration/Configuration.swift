import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// The effective configuration of one run: flags before environment before file before defaults.
struct Configuration {
  let registry: BackendRegistry
  /// The configuration file that was read, or would have been.
  let file: String?
  let fileExists: Bool
  let backend: Setting<String>
  /// `nil` if nothing says where the store is: no home, no explicit store.
  let store: Setting<String>?
  let busyTimeoutMilliseconds: Setting<Int>
  let historyKeepChanges: Setting<Int>
  let historyKeepMiB: Setting<Int>
  let historyKeepRows: Setting<Bool>
  let listLimit: Setting<Int>
  let listFormat: Setting<ListFormat>
  let shareDuplicates: Setting<DuplicatePolicy>
  private let engines: [String: any Sendable]

  /// What the command line says about the configuration.
  struct Flags {
    var backend: String?
    var store: String?
    var config: String?
  }

  /// - Throws: ``ConfigurationError``; ``UsageError`` for a backend that a flag names and nobody knows.
  init(flags: Flags, environment: Environment, registry: BackendRegistry) throws {
    self.registry = registry
    let path = try Self.path(flags, environment)
    file = path?.value
    let content = try path.flatMap { try ConfigurationFile.read($0.value, registry: registry) }
    fileExists = content != nil
    if let path, path.source != .default, content == nil {
      throw ConfigurationError("\(path.value): there is no such configuration file (named by \(path.source))")
    }
    func fromFile<Value>(_ value: Value?) -> Setting<Value>? {
      value.map { Setting(value: $0, source: .file(path?.value ?? "")) }
    }

    // Each is looked at, so that a wrong name is an error wherever it stands.
    let flag = try Self.backend(flags.backend, registry)
    let variable = try Self.backend(environment, registry)
    backend = flag ?? variable ?? fromFile(content?.backend) ?? .byDefault(registry.names.first ?? "")
    let chosenStore: Setting<String>? =
      flags.store.map { Setting(value: $0, source: .flag("--store")) }
      ?? environment.nonEmpty("SAVER_STORE").map { Setting(value: $0, source: .environment("SAVER_STORE")) }
      ?? fromFile(content?.store)
    store =
      try chosenStore.map { Setting(value: try environment.absolute($0.value), source: $0.source) }
      ?? environment.dataFolder.map { Setting(value: $0 + "/saver/items", source: .default) }
    busyTimeoutMilliseconds = fromFile(content?.busyTimeoutMilliseconds) ?? .byDefault(10_000)
    historyKeepChanges = fromFile(content?.history.keepChanges) ?? .byDefault(100_000)
    historyKeepMiB = fromFile(content?.history.keepMiB) ?? .byDefault(64)
    historyKeepRows = fromFile(content?.history.keepRows) ?? .byDefault(true)
    listLimit = fromFile(content?.list.limit) ?? .byDefault(50)
    listFormat = fromFile(content?.list.format) ?? .byDefault(.table)
    shareDuplicates = fromFile(content?.share.duplicates) ?? .byDefault(.bump)
    engines = content?.engines ?? [:]
  }

  private static func path(_ flags: Flags, _ environment: Environment) throws -> Setting<String>? {
    if let path = flags.config {
      return Setting(value: try environment.expandingTilde(path), source: .flag("--config"))
    }
    if let path = environment.nonEmpty("SAVER_CONFIG") {
      return Setting(value: try environment.expandingTilde(path), source: .environment("SAVER_CONFIG"))
    }
    return environment.configurationFolder.map { Setting(value: $0 + "/saver/config.json5", source: .default) }
  }

  private static func backend(_ flag: String?, _ registry: BackendRegistry) throws -> Setting<String>? {
    guard let flag else { return nil }
    guard registry.names.contains(flag) else {
      throw UsageError(
        "--backend: there is no backend '\(flag)'; this program has \(registry.names.joined(separator: ", "))")
    }
    return Setting(value: flag, source: .flag("--backend"))
  }

  private static func backend(
    _ environment: Environment, _ registry: BackendRegistry
  ) throws -> Setting<String>? {
    guard let name = environment.nonEmpty("SAVER_BACKEND") else { return nil }
    guard registry.names.contains(name) else {
      throw ConfigurationError(
        "$SAVER_BACKEND: there is no backend '\(name)'; this program has \(registry.names.joined(separator: ", "))")
    }
    return Setting(value: name, source: .environment("SAVER_BACKEND"))
  }

  // MARK: The store

  /// Opens the configured store on the configured backend.
  func openStore(_ creation: StoreLocation.Creation) throws -> Store {
    let backend = try registry.backend(named: backend.value)
    return try open(backend, try location(creation))
  }

  /// The path of the configured store's file; `nil` if the backend keeps none.
  func storeFile() throws -> String? {
    let location = try location(.never)
    return try registry.backend(named: backend.value).fileExtension.map { location.path(withExtension: $0) }
  }

  private func open<Backend: StorageBackend>(_: Backend.Type, _ location: StoreLocation) throws -> Store {
    try Backend.open(location, types: [SavedItem.schema.type], configuration: engine(Backend.self))
  }

  /// Copies a store to a backend, as far as the configuration has a say in it.
  ///
  /// - Parameter path: absolute; `nil` for the base of the configured store.
  func copy(
    _ repository: SavedItemRepository, to backend: String, path: String?, _ options: CopyOptions
  ) async throws -> StoreCopy {
    let backend = try registry.backend(named: backend)
    var location = try location(.ifMissing)
    // The configured store may be named with its own engine's ending.
    location.base = try path ?? base(of: location)
    return try await copy(repository, to: backend, location, options)
  }

  private func copy<Backend: StorageBackend>(
    _ repository: SavedItemRepository, to _: Backend.Type, _ location: StoreLocation, _ options: CopyOptions
  ) async throws -> StoreCopy {
    try await repository.copy(
      to: Backend.self, at: location, configuration: engine(Backend.self), options: options)
  }

  /// The path of the configured store without its engine's ending.
  private func base(of location: StoreLocation) throws -> String {
    guard let ending = try registry.backend(named: backend.value).fileExtension.map({ "." + $0 }),
      location.base.hasSuffix(ending)
    else { return location.base }
    return String(location.base.dropLast(ending.count))
  }

  /// A backend's own part of the configuration.
  func engine<Backend: StorageBackend>(_: Backend.Type) -> Backend.Configuration {
    engines[Backend.name] as? Backend.Configuration ?? Backend.defaultConfiguration
  }

  /// Whether the file has a part of its own for a backend.
  func hasSection(for backend: String) -> Bool { engines[backend] != nil }

  private func location(_ creation: StoreLocation.Creation) throws -> StoreLocation {
    guard let store else {
      throw ConfigurationError(
        "no store: neither --store, $SAVER_STORE, the configuration, $XDG_DATA_HOME nor $HOME says where it is")
    }
    return StoreLocation(
      base: store.value, creation: creation, busyTimeoutMilliseconds: busyTimeoutMilliseconds.value,
      history: historyRetention)
  }

  /// How much of the history the store keeps.
  var historyRetention: HistoryRetention {
    HistoryRetention(
      changesMax: historyKeepChanges.value, bytesMax: historyKeepMiB.value << 20, keepsRows: historyKeepRows.value)
  }
}

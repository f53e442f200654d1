public import SaverCore

/// Stores in the memory of one process: for tests, for previews, and as the reference that the other engines are compared
/// with. What it holds is gone when the last ``Store`` of it is.
public enum MemoryBackend: StorageBackend {
  /// Nothing can be configured.
  public struct Configuration: Decodable, Hashable, Sendable {
    public init() {}
  }

  public static let name = "memory"
  public static let fileExtension: String? = nil
  public static let library = "memory"
  public static var defaultConfiguration: Configuration { Configuration() }
  public static let configurationKeys: [String: String] = [:]

  /// Makes an empty store, wherever the location says.
  public static func open(
    _ location: StoreLocation, types: [RecordType], configuration: Configuration
  ) throws -> Store {
    Store(MemoryEngine(types: types, retention: location.history))
  }
}

public import SaverCore

/// A store in one JSON file that a person can read: a backend made outside of the package, with its public API alone.
///
/// Every transaction that writes reads the file, changes what it read, and puts a new file in its place, under the lock
/// that all writers of a store queue on; whoever reads sees the old file or the new one, whole. That is right for some
/// thousands of records and a few commits a second, and for nothing larger.
public enum JSONFileBackend: StorageBackend {
  public struct Configuration: Decodable, Hashable, Sendable {
    /// Whether the file is laid out for people: one value a line.
    public var indented: Bool?

    public init(indented: Bool? = nil) {
      self.indented = indented
    }
  }

  public static let name = "json"
  public static let fileExtension: String? = "json"
  public static let library = "JSON, by Foundation"
  public static var defaultConfiguration: Configuration { Configuration() }
  public static let configurationKeys = ["indented": "Whether the file is laid out for people (false)."]

  public static func open(
    _ location: StoreLocation, types: [RecordType], configuration: Configuration
  ) throws -> Store {
    Store(try JSONFileEngine(location, types: types, configuration: configuration))
  }
}

/// A kind of storage: opens stores of its own format.
///
/// A third party adds one by conforming to this protocol, listing the type in a ``BackendRegistry``, and running the
/// conformance suite of SaverTestKit on it.
public protocol StorageBackend: Sendable {
  /// The backend's own part of a configuration file, under its name. Unknown keys are the decoder's business.
  associatedtype Configuration: Decodable & Sendable

  /// The word that names it in configurations and on the command line: lower-case letters.
  static var name: String { get }
  /// What its file names end in, without a dot; `nil` if it keeps no file.
  static var fileExtension: String? { get }
  /// Name and version of the library underneath, for people.
  static var library: String { get }
  static var defaultConfiguration: Configuration { get }
  /// The keys that its configuration knows, with what each means; for messages and for the configuration's reference.
  static var configurationKeys: [String: String] { get }

  /// Opens the store at `location`, or makes it.
  ///
  /// - Parameter types: the record types of the program. The store may hold others; those are left alone.
  /// - Throws: ``StorageError``. Nothing is created or changed when opening fails.
  static func open(
    _ location: StoreLocation, types: [RecordType], configuration: Configuration
  ) throws -> Store
}

/// Where a store is, and how it is to be opened.
public struct StoreLocation: Sendable, Hashable {
  /// A store that does not exist: is it made?
  public enum Creation: Sendable, Hashable {
    /// Made, with the folders above it.
    case ifMissing
    /// An error with the code `noSuchStore`, and nothing is made.
    case never
  }

  /// A path without the engine's extension, or with it.
  public var base: String
  public var creation: Creation
  /// One limit for everything that a write waits for.
  public var busyTimeoutMilliseconds: Int
  public var history: HistoryRetention

  public init(
    base: String, creation: Creation = .ifMissing, busyTimeoutMilliseconds: Int = 10_000,
    history: HistoryRetention = HistoryRetention()
  ) {
    self.base = base
    self.creation = creation
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    self.history = history
  }

  /// The path of the engine's file: the base, and the extension unless it is there already.
  public func path(withExtension fileExtension: String) -> String {
    base.hasSuffix("." + fileExtension) ? base : base + "." + fileExtension
  }
}

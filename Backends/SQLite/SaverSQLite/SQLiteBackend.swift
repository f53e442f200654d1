#if SQLite
import CSQLite
public import SaverCore

/// Stores in SQLite files: ordinary tables that any program may read and write.
///
/// Write-ahead logging, every commit synced, writers of all processes queue on one lock file beside the store.
/// `Documentation/SQLite-Format.md` describes the file.
public enum SQLiteBackend: StorageBackend {
  public static let name = "sqlite"
  public static let fileExtension: String? = "sqlite"
  /// The library that the program runs with, which need not be the one that it was built with.
  public static var library: String { "SQLite \(String(cString: sqlite3_libversion()))" }
  public static var defaultConfiguration: Configuration { Configuration() }
  public static let configurationKeys = [
    "synchronous": "\"full\" (default): a commit that returned survives a power cut; "
      + "\"normal\": the last commits before a power cut may be lost, the store stays whole"
  ]

  /// Opens the store at `location`, or makes it: see ``StorageBackend/open(_:types:configuration:)``.
  ///
  /// An existing store is opened without the writer lock, unless a record type is new to it or has to be migrated.
  public static func open(
    _ location: StoreLocation, types: [RecordType], configuration: Configuration
  ) throws -> Store {
    Store(try SQLiteOpening(location, types: types, configuration: configuration).engine())
  }
}
#endif

#if LMDB
import CLMDB
public import SaverCore

/// Stores in LMDB files: one memory-mapped file, read without copying.
///
/// Every commit synced, writers of all processes queue on one lock file beside the store.
/// `Documentation/LMDB-Format.md` describes the file. LMDB trusts its file: a flipped bit inside one of its pages can
/// crash the process. Opening checks the header and the length; ``Store/inspect(checkingIntegrity:)`` walks the pages.
public enum LMDBBackend: StorageBackend {
  public static let name = "lmdb"
  public static let fileExtension: String? = "lmdb"

  /// The library that the program runs with, which need not be the one that it was built with.
  public static var library: String {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    _ = mdb_version(&major, &minor, &patch)
    return "LMDB \(major).\(minor).\(patch)"
  }

  public static var defaultConfiguration: Configuration { Configuration() }
  public static let configurationKeys = [
    "mapSizeMaxGiB": "how large a store can become, in GiB of address space reserved: 1 to 16384, 64 by default"
  ]

  /// Opens the store at `location`, or makes it: see ``StorageBackend/open(_:types:configuration:)``.
  ///
  /// An existing store is opened without the writer lock, unless a record type is new to it or has to be migrated, or
  /// the file was replaced by another. A store that this process has open already is shared, with the map that the
  /// first opening reserved.
  public static func open(
    _ location: StoreLocation, types: [RecordType], configuration: Configuration
  ) throws -> Store {
    Store(try LMDBOpening(location, types: types, configuration: configuration).engine())
  }
}
#endif

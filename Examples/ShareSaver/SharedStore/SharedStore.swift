public import SaverCore
import SaverKit
import SaverLMDB
import SaverSQLite

/// The store that both programs open: each its own handle of the same file.
public enum SharedStore {
  public static let registry = BackendRegistry([SQLiteBackend.self, LMDBBackend.self])

  public static func open(_ backend: String, at path: String) throws -> Store {
    try open(registry.backend(named: backend), at: path)
  }

  private static func open<Backend: StorageBackend>(_ backend: Backend.Type, at path: String) throws -> Store {
    try Backend.open(
      StoreLocation(base: path), types: [SavedItem.schema.type], configuration: Backend.defaultConfiguration)
  }
}

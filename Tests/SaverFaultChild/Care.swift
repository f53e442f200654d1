import FoundationEssentials
import SaverCore
import SaverKit

#if SQLite
import SaverSQLite
#endif
#if LMDB
import SaverLMDB
#endif

/// What a child does for the care of its store, and what it says of it.
///
///     backup:BASE[:over]   restore:BASE   compact   forget:ATTEMPT:ROW   copy:ENGINE:BASE[:over]
struct Care {
  let store: Store
  /// The step's words behind its name.
  let words: [String]

  static let steps: Set = ["backup", "restore", "compact", "forget", "copy"]

  private var isOverwriting: Bool { words.last == "over" }

  func run(_ step: String) throws -> String {
    switch step {
    case "backup": return "\(try store.backUp(to: words[0], overwriting: isOverwriting).size)"
    case "restore":
      try store.restore(from: words[0], overwriting: true)
      return ""
    case "compact": return try store.compact().remainder ?? ""
    case "forget":
      let id = Attempts.id(Int(words[0]) ?? 0, Int(words[1]) ?? 0)
      let report = try store.forget(SavedItem.self, ids: [id])
      return report.forgotten.isEmpty ? "nothing" : report.remainder ?? ""
    case "copy": return try copy()
    default: throw StorageError(.internalError, "There is no step '\(step)'.")
    }
  }

  private func copy() throws -> String {
    #if SQLite
    if words[0] == SQLiteBackend.name { return try copy(SQLiteBackend.self, SQLiteBackend.defaultConfiguration) }
    #endif
    #if LMDB
    if words[0] == LMDBBackend.name { return try copy(LMDBBackend.self, LMDBBackend.defaultConfiguration) }
    #endif
    throw StorageError(.unknownBackend, "There is no engine '\(words[0])'.")
  }

  private func copy<Backend: StorageBackend>(
    _: Backend.Type, _ configuration: Backend.Configuration
  ) throws -> String {
    let location = StoreLocation(base: words[1], creation: .ifMissing)
    let copy = try Backend.copy(
      store, [SavedItem.schema.type], to: location, configuration: configuration,
      options: CopyOptions(replacesStore: isOverwriting))
    return "\(copy.content.count)"
  }
}

import CFloor
import SaverCore
import SaverKit
import SaverLMDB
import SaverSQLite

/// An engine, and how its stores and their floors are opened.
enum BenchmarkEngine: String, CaseIterable {
  case sqlite, lmdb

  /// Opens a store of ours, or makes it.
  func openStore(_ base: String) throws -> Store {
    let location = StoreLocation(base: base)
    let types = [SavedItem.schema.type]
    return switch self {
    case .sqlite: try SQLiteBackend.open(location, types: types, configuration: SQLiteBackend.defaultConfiguration)
    case .lmdb: try LMDBBackend.open(location, types: types, configuration: LMDBBackend.defaultConfiguration)
    }
  }

  /// Makes an empty store with the engine, so that tables, indexes and triggers are its own, and opens it with plain C.
  func makeFloor(_ base: String) throws -> any Floor {
    _ = try openStore(base)
    return try openFloor(base)
  }

  /// Opens a store of the engine with plain C.
  func openFloor(_ base: String) throws -> any Floor {
    let path = base + "." + rawValue
    return switch self {
    case .sqlite: try SQLiteFloor(path)
    case .lmdb: try LMDBFloor(path)
    }
  }

  /// The ways in which the floor finds its places, and what the table calls them. The last is the one that ours uses.
  var accesses: [(name: String, access: floor_access)] {
    switch self {
    case .sqlite: [("C", floor_by_cursor)]
    case .lmdb: [("C, mdb_get/put", floor_from_root), ("C, cursors", floor_by_cursor)]
    }
  }

  /// Whether a floor is what a C program usually does, by which the targets are meant. A cursor that stays where it was
  /// finds neighbours at once, which helps where the order of the ids is that of the times.
  func isUsualFloor(_ access: floor_access) -> Bool { self == .sqlite || access == floor_from_root }

  /// What a C program does when it is woken: query its window again, or read the history and the rows that it names.
  var windowCheck: floor_check { self == .sqlite ? floor_sqlite_check_window : floor_lmdb_check_window }
  var historyCheck: floor_check { self == .sqlite ? floor_sqlite_check_history : floor_lmdb_check_history }

  var library: String {
    switch self {
    case .sqlite: SQLiteBackend.library
    case .lmdb: LMDBBackend.library
    }
  }
}

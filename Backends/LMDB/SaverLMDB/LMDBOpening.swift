#if LMDB
import CLMDB
import FoundationEssentials
import Glibc
import SaverCore

/// Opens a store, or makes it. Until a file is known to be ours, LMDB does not get to see it.
struct LMDBOpening: Sendable {
  let types: [RecordType]
  let configuration: LMDBBackend.Configuration
  let history: HistoryRetention
  private(set) var creation: StoreLocation.Creation
  let busyTimeoutMilliseconds: Int
  private(set) var deadline: Deadline
  /// As the caller named it: for messages.
  let path: String

  init(_ location: StoreLocation, types: [RecordType], configuration: LMDBBackend.Configuration) throws {
    precondition(Set(types.map(\.name)).count == types.count, "two record types have one name")
    precondition(
      !types.contains { Tables.ownNames.contains($0.name) },
      "a record type has the name of a database of the store's own")
    try configuration.check()
    self.types = types
    self.configuration = configuration
    history = location.history
    creation = location.creation
    busyTimeoutMilliseconds = location.busyTimeoutMilliseconds
    deadline = Deadline(milliseconds: location.busyTimeoutMilliseconds)
    path = location.path(withExtension: "lmdb")
  }

  func engine() throws -> LMDBEngine {
    LMDBEngine(try openFile(turn: 0), opening: self)
  }

  /// Opens the file that has taken the place of the one that was opened.
  func replacement(turn: UInt64, until deadline: Deadline) throws -> OpenFile {
    var opening = self
    opening.creation = .never
    opening.deadline = deadline
    return try opening.openFile(turn: turn)
  }

  private func openFile(turn: UInt64) throws -> OpenFile {
    let given = StoreFile(path: path)
    try given.folder.requireLocalFileSystem()
    if case .missing = given.status {
      guard creation == .ifMissing else { throw StorageError(.noSuchStore, "There is no store.", path: path) }
      try create()
    }
    // More rounds than any sequence of replacements can cause.
    for _ in 0..<100 {
      let file = StoreFile(path: path).resolved
      let identity = try file.requireRegularFile(as: path)
      try requireOurs(file)
      guard access(file.path, R_OK | W_OK) == 0 else { throw StorageError.refused(path) }
      let environment = try self.environment(file, identity)
      // LMDB opens its lock file, then the data file. If another took the place of this one in between (a process has
      // compacted the store), the two do not belong together.
      guard environment.identity == identity else {
        EnvironmentRegistry.release(environment)
        continue
      }
      do {
        return try openFile(environment, turn)
      } catch {
        EnvironmentRegistry.release(environment)
        throw error
      }
    }
    throw StorageError(.replacedStore, "The store is another file each time it is looked at. Try again.", path: path)
  }

  private func openFile(_ environment: Environment, _ turn: UInt64) throws -> OpenFile {
    try environment.openDatabases(Tables.names(types), until: deadline)
    try SchemaUpgrade(environment: environment, types: types, deadline: deadline).run()
    guard let tables = Tables(types, handles: environment.handles.withLock({ $0 })) else {
      throw StorageError(.corrupt, "Databases of the store have vanished. Restore a backup.", path: path)
    }
    let transaction = try environment.begin(writing: false, until: deadline)
    defer { environment.end(transaction) }
    let identity = try StoreMeta.identity(tables.meta, transaction, path: path)
    environment.clearStaleReaders()
    recordIfUnknown(environment)
    return OpenFile(identity: identity, environment: environment, tables: tables, turn: turn)
  }

  // MARK: Checks

  /// Looks into the file without LMDB, which would make a lock file beside anything and crash on what is too short.
  private func requireOurs(_ file: StoreFile) throws {
    // Other processes may be committing: a page that was read may have been used again. Then the meta pages have moved.
    for _ in 0..<8 {
      let pages = try PageFile(path: file.path)
      let meta = pages.meta
      do {
        return try requireOurs(pages, as: path)
      } catch {
        try pages.readMeta()
        if pages.meta == meta { throw (error as? PageFile.Damage).map(pages.damaged) ?? error }
      }
    }
    // A file that is committed to faster than it can be looked at is whole.
  }

  /// - Parameter path: as the file is called in messages.
  /// - Throws: ``StorageError``; ``PageFile/Damage``.
  func requireOurs(_ pages: PageFile, as path: String) throws {
    try pages.requireAllPages()
    guard let root = try pages.root(ofDatabase: StoreMeta.database),
      let format = try pages.value(of: StoreMeta.formatKey, root: root)
    else {
      throw StorageError(
        .foreignFile, "This LMDB file belongs to another program. Choose another name for the store.", path: path)
    }
    guard let version = Int(String(decoding: format, as: UTF8.self)) else {
      throw StorageError(.corrupt, "The store does not say its format. Restore a backup.", path: path)
    }
    guard version == StoreMeta.formatVersion else {
      throw StorageError(
        .unsupportedFormat,
        "The store has format \(version), this program knows \(StoreMeta.formatVersion). Use "
          + (version > StoreMeta.formatVersion
            ? "a newer version of the program." : "the version that wrote it, and export it from there."),
        path: path)
    }
    for type in types {
      // One that is too long for this reader is looked at later.
      let stored = try pages.value(of: StoreMeta.schemaKey(type.name), root: root) ?? []
      if stored.isEmpty || stored.elementsEqual(StoredSchema(type).text.utf8) { continue }
      _ = try SchemaUpgrade.migration(of: type, from: String(decoding: stored, as: UTF8.self), path: path)
    }
  }
}

extension Environment {
  /// Opens databases that are not open yet; those that do not exist are left out.
  func openDatabases(_ names: [String], until deadline: Deadline) throws {
    try handles.withLock { handles in
      let missing = names.filter { handles[$0] == nil }
      if missing.isEmpty { return }
      let transaction = try begin(writing: false, until: deadline)
      var opened: [String: MDB_dbi] = [:]
      do {
        for name in missing { opened[name] = try database(name, transaction, creating: false) }
      } catch {
        end(transaction)
        throw error
      }
      // A transaction that reads leaves its databases open only if it is committed.
      try commit(transaction)
      handles.merge(opened) { _, new in new }
    }
  }

  /// Opens one database in a transaction; `nil` if there is none of the name. The handles' mutex is held.
  func database(_ name: String, _ transaction: OpaquePointer, creating: Bool) throws -> MDB_dbi? {
    var database: MDB_dbi = 0
    let result = mdb_dbi_open(transaction, name, creating ? UInt32(MDB_CREATE) : 0, &database)
    if result == MDB_NOTFOUND { return nil }
    guard result == 0 else { throw StorageError(lmdb: result, doing: "opening its databases", path: path) }
    var flags: UInt32 = 0
    guard mdb_dbi_flags(transaction, database, &flags) == 0, flags == 0 else {
      throw StorageError(.corrupt, "Another program has made the database '\(name)', in another form.", path: path)
    }
    return database
  }
}
#endif

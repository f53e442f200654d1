import FoundationEssentials
import SaverCore
import Synchronization

/// The engine of an open store: what was read last, and the lock that writers queue on.
final class JSONFileEngine: Engine {
  let path: String?
  let capabilities = StoreCapabilities(isShared: true, isPersistent: true, acceptsForeignWriters: false)

  let file: StoreFile
  let types: [RecordType]
  /// The program's schemas as the store must have them, by the names of the types.
  let schemas: [String: String]
  let isIndented: Bool
  let retention: HistoryRetention
  let busyTimeoutMilliseconds: Int
  let lock: WriterLock

  // MARK: Mutable state
  /// What was read last, and how many were; held while the file is read, so that it is read once for all threads.
  private let latest = Mutex<(snapshot: Snapshot?, count: UInt64)>((nil, 0))

  /// Opens the store at a location, or makes it.
  init(_ location: StoreLocation, types: [RecordType], configuration: JSONFileBackend.Configuration) throws {
    precondition(Set(types.map(\.name)).count == types.count, "two record types have one name")
    let given = StoreFile(path: location.path(withExtension: "json"))
    if case .missing = given.status {
      guard location.creation == .ifMissing else {
        throw StorageError(.noSuchStore, "There is no store.", path: given.path)
      }
      try given.folder.make()
    }
    path = given.path
    file = given.resolved
    self.types = types
    schemas = Dictionary(uniqueKeysWithValues: types.map { ($0.name, StoredSchema($0).text) })
    isIndented = configuration.indented ?? false
    retention = location.history
    busyTimeoutMilliseconds = location.busyTimeoutMilliseconds
    lock = WriterLock(path: file.lockPath)
    try prepare()
  }

  /// Makes the store if it is not there, and fits it to the record types.
  private func prepare() throws {
    if case .missing = file.status {
    } else {
      _ = try file.requireRegularFile(as: file.path)
      var document = try snapshot().document
      if try !document.migrate(to: types, path: file.path) { return }
    }
    try lock.withLock(until: Deadline(milliseconds: busyTimeoutMilliseconds)) {
      // Another process may have been first.
      var document = Document()
      if case .missing = file.status {} else { document = try snapshot().document }
      if try document.migrate(to: types, path: file.path) { try commit(document) }
    }
  }

  var identity: UUID {
    // Without a file, that of the store which was there.
    (try? snapshot())?.document.identity ?? latest.withLock { $0.snapshot?.document.identity } ?? UUID.version7()
  }

  // MARK: Reading and writing

  /// The content of the file now. Reads it only if it is another than the last time.
  func snapshot() throws -> Snapshot {
    try latest.withLock { latest in
      if let snapshot = latest.snapshot, snapshot.isCurrent(at: file.path) { return snapshot }
      latest.count += 1
      let snapshot = try Snapshot(path: file.path, revision: latest.count)
      latest.snapshot = snapshot
      return snapshot
    }
  }

  /// The content, as long as no newer program has migrated it: its rows would have another form.
  private func ownSnapshot() throws -> Snapshot {
    let snapshot = try snapshot()
    let found = snapshot.document.schemas
    for type in types where found[type.name] != schemas[type.name] {
      throw StorageError.schemaChanged(of: type, to: found[type.name], path: file.path)
    }
    return snapshot
  }

  func read(_ body: (any EngineReadTransaction) throws -> Void) throws {
    try body(JSONFileTransaction(try ownSnapshot(), types: types))
  }

  func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws {
    let hasChanged = try lock.withLock(until: Deadline(milliseconds: busyTimeoutMilliseconds)) {
      let transaction = JSONFileTransaction(try ownSnapshot(), types: types, keepsRows: retention.keepsRows)
      try body(transaction)
      var document = transaction.document
      document.history.append(transaction.changes, operation, retention)
      if transaction.changes.isEmpty { return false }
      try commit(document)
      return true
    }
    // Behind the commit and outside of the lock: whoever is woken finds the new file, and nobody in the way.
    if hasChanged { NotifyFile.touch(notifyPath) }
  }

  /// Puts a document in the place of the store. The writer lock is held.
  func commit(_ document: Document) throws {
    try file.removeStaleTemporaries()
    let temporary = try file.makeTemporary()
    do {
      try document.write(to: temporary.path, indented: isIndented)
    } catch {
      temporary.removeWithCompanions()
      throw error
    }
    // Opened before it has the name that others write to.
    let snapshot = try? latest.withLock { latest in
      latest.count += 1
      return try Snapshot(path: temporary.path, revision: latest.count, known: document)
    }
    try file.moveIntoPlace(temporary)
    guard let snapshot else { return }
    latest.withLock {
      // Whoever was woken by the new name may have read the file already: one content keeps one revision.
      if $0.snapshot?.isCurrent(at: file.path) != true { $0.snapshot = snapshot }
    }
  }

  // MARK: Being observed

  var notifyPath: String { NotifyFile.path(for: file) }

  func makeWatcher() -> any EngineWatcher { JSONFileWatcher(self) }

  /// Our writers rename a new file into place and touch the notify file; an editor may write into the store's own.
  func makeWakeSource() -> any WakeSource {
    FileWakeSource(storePath: file.path, notifyPath: notifyPath, stirringPath: file.path)
  }

  func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    let document = try snapshot().document
    var inspection = StoreInspection(
      formatVersion: document.format, files: StoreInspection.files(of: file, endings: ["-writer", "-notify"]))
    inspection.rows = document.tables.sorted { $0.key < $1.key }.map { ($0.key, $0.value.rows.count) }
    // Nobody keeps the file open: who uses the store cannot be told, only who writes.
    inspection.noteUsers(of: file, lockedFiles: [])
    return inspection
  }
}

#if LMDB
import CLMDB
import FoundationEssentials
import SaverCore

/// A transaction, reading or writing. An engine keeps a few of these objects and uses them again and again, so that a
/// short read allocates next to nothing; between uses they have no transaction of LMDB's.
///
/// Used by one thread at a time.
final class LMDBTransaction: EngineWriteTransaction, @unchecked Sendable {
  let environment: Environment
  let tables: Tables
  /// Which of the files that its engine has had open one after the other the environment is.
  let turn: UInt64
  /// Whether the history gets the rows as they were.
  let keepsRows: Bool

  /// What belongs to one scan; a scan within the closure of another has its own.
  final class Frame {
    let slots: UnsafeMutablePointer<Slot>
    var key = TupleBuffer()

    init(columns: Int) {
      slots = .allocate(capacity: max(columns, 1))
      slots.initialize(repeating: .null, count: max(columns, 1))
    }

    deinit {
      slots.deallocate()
    }
  }

  // MARK: Mutable state
  // Owned by the thread that took the object out of the engine; the lock there orders the change of hands.
  private var pointer: OpaquePointer?
  private var frames: [Frame] = []
  private var depth = 0
  let lists = StringListCache()
  var rowsRead = 0
  /// Made by the first write. Asked for with each row: see there.
  @exclusivity(unchecked) var writing: WritingState?
  /// Why what was written must not be committed.
  var failure: StorageError?
  private(set) var isWriting = false
  /// The last snapshot in which the record types were found to be the program's.
  private var checkedSnapshot: Int?
  /// Whether the snapshot has changes that the history does not tell of; `nil` until somebody asks.
  var unknownChanges: Bool?

  init(_ environment: Environment, _ tables: Tables, turn: UInt64 = 0, keepsRows: Bool = true) {
    self.environment = environment
    self.tables = tables
    self.turn = turn
    self.keepsRows = keepsRows
  }

  var path: String { environment.path }

  // MARK: Beginning and ending

  func begin(writing isWriting: Bool, until deadline: Deadline) throws {
    take(try environment.begin(writing: isWriting, until: deadline), writing: isWriting)
    do {
      try requireOwnSchemas()
    } catch {
      end()
      throw error
    }
  }

  /// Refuses a store that another process has migrated since it was opened here: its rows have another form by now.
  ///
  /// Looks only if something was committed since the last look.
  ///
  /// - Throws: ``StorageError`` with `schemaMismatch`.
  private func requireOwnSchemas() throws {
    // What a transaction that writes builds on has the number before its own.
    let snapshot = mdb_txn_id(transaction) - (isWriting ? 1 : 0)
    if snapshot == checkedSnapshot { return }
    for table in tables.all where try !hasOwnSchema(table) {
      let stored = try StoreMeta.schema(of: table.type, tables.meta, transaction, path: path)
      throw StorageError.schemaChanged(of: table.type, to: stored, path: path)
    }
    checkedSnapshot = snapshot
  }

  /// Goes on with a transaction of LMDB's that has begun already; whoever began it ends it.
  func take(_ pointer: OpaquePointer, writing isWriting: Bool) {
    self.pointer = pointer
    self.isWriting = isWriting
    rowsRead = 0
    failure = nil
    unknownChanges = nil
  }

  /// Lets go of a transaction that was taken.
  func leave() {
    writing?.end()
    pointer = nil
    depth = 0
  }

  /// Ends the transaction; what it wrote is gone.
  func end() {
    guard let pointer else { return }
    writing?.end()
    environment.end(pointer, isReader: !isWriting)
    self.pointer = nil
    depth = 0
  }

  func commit() throws {
    if let failure {
      end()
      throw failure
    }
    writing?.end()
    let pointer = transaction
    self.pointer = nil
    depth = 0
    try environment.commit(pointer)
  }

  /// LMDB's transaction.
  var transaction: OpaquePointer {
    guard let pointer else { preconditionFailure("a transaction is used outside of its closure") }
    return pointer
  }

  // MARK: Frames

  func withFrame<Result>(_ body: (Frame) throws -> Result) throws -> Result {
    if depth == frames.count { frames.append(Frame(columns: tables.columnsMax)) }
    let frame = frames[depth]
    depth += 1
    defer { depth -= 1 }
    return try body(frame)
  }

  // MARK: One row

  func row(_ type: RecordType, _ id: UUID, _ body: (borrowing RowView) throws -> Void) throws -> Bool {
    let table = try tables.table(type)
    return try withFrame { frame in
      try withUnsafeBytes(of: id.uuid) { bytes in
        var key = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        var value = MDB_val()
        rowsRead += 1
        let result = mdb_get(transaction, table.rows, &key, &value)
        if result == MDB_NOTFOUND { return false }
        guard result == 0 else { throw StorageError(lmdb: result, doing: "reading", path: path) }
        let count = type.fields.count
        RowFormat.read(value, key: key, into: frame.slots, count: count)
        try body(RowView(slots: UnsafePointer(frame.slots), count: count, lists: lists))
        return true
      }
    }
  }
}
#endif

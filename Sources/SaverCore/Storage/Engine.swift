public import FoundationEssentials

/// What an engine implements for a store: nothing generic, so that one compiled body serves every record type.
///
/// Callers see ``Store``. The engine's own types stay inside its module.
///
/// Isolation: every function may be called from any thread, many at once; writes queue.
public protocol Engine: EngineMaintenance, AnyObject, Sendable {
  /// Made with the store, kept for as long as it lives. Another one if another store has taken its place.
  var identity: UUID { get }
  /// Where the store lies; `nil` for one in memory.
  var path: String? { get }
  var capabilities: StoreCapabilities { get }

  /// Runs `body` on one consistent snapshot, synchronously, on the calling thread.
  func read(_ body: (any EngineReadTransaction) throws -> Void) throws

  /// Runs `body` as the only writer of all processes, and commits durably; takes everything back if `body` throws.
  ///
  /// The changes and an entry for the transaction are written to the history in the same transaction; one that changes
  /// nothing leaves none. Behind the commit, and outside of all locks, observers in other processes are woken.
  ///
  /// - Precondition: not called from within another write of the same store on the same thread.
  func write(_ operation: WriteOperation, _ body: (any EngineWriteTransaction) throws -> Void) throws

  /// What the observer of this store looks with. It keeps no more than the engine's own parts alive.
  func makeWatcher() throws -> any EngineWatcher

  /// What wakes the observer of this store; not started.
  func makeWakeSource() -> any WakeSource

  /// What there is to know about the store for people. With `checkingIntegrity`, reads all of it.
  func inspect(checkingIntegrity: Bool) throws -> StoreInspection

  /// Mends what can be mended without losing a record; see ``Store/repair()``.
  func repair() throws -> [String]
}

/// Reading, as an engine implements it. Used by one thread, valid within the closure that it was handed to.
public protocol EngineReadTransaction: AnyObject {
  /// Calls `body` for each row of the selection, in its order, until it returns `false`.
  ///
  /// The row is valid only within the call. Whatever the engine's plan, the rows are those that the filter's meaning
  /// (``Filter``) gives; what the engine cannot decide itself it lets ``CompiledFilter`` decide.
  func scan(_ selection: Selection, _ body: (borrowing RowView) throws -> Bool) throws

  /// Calls `body` with the row of this id, if there is one; returns whether there is.
  func row(_ type: RecordType, _ id: UUID, _ body: (borrowing RowView) throws -> Void) throws -> Bool

  /// The number of rows that ``scan(_:_:)`` would give, limit and offset included.
  func count(_ selection: Selection) throws -> Int

  /// How a selection would be answered.
  func explain(_ selection: Selection) throws -> QueryPlan

  /// Where the history stands in this snapshot. A transaction that writes shows it, here and below, as it was before the
  /// first write; what it shows after that is the engine's business.
  func historyHead() throws -> HistoryHead

  /// The check value of a token at `sequence` (``HistoryToken/check``): the nonce of the transaction that covers it, or,
  /// where that is foreign or there is none yet, a digest of the change at `sequence` itself, or a random number that the
  /// engine keeps for the place. `nil` if nothing is there: it never was, or changes up to this one or farther are forgotten.
  func historyCheck(at sequence: Int64) throws -> UInt64?

  /// The first sequence that is still there; one more than that of ``historyHead()`` if there is none.
  func historyOldest() throws -> Int64

  /// The sequence with which the history began a new branch when the store was restored last; 0 if it never was. Tokens
  /// from before it are of another branch, whatever their check values.
  func historyBranch() throws -> Int64

  /// Calls `body` with each change after `sequence`, in order, until it returns `false`.
  ///
  /// The row is the one before an update or a delete, as the schema has it now; without columns if the history does not
  /// have it, or has it in the form of an earlier schema. Valid only within the call.
  func changes(after sequence: Int64, _ body: (HistoryChange, borrowing RowView) throws -> Bool) throws

  /// Calls `body` with each transaction whose last change lies after `sequence`, in order or backwards, until it returns
  /// `false`. Changes behind the last one are foreign and have no entry yet.
  func transactions(
    after sequence: Int64, newestFirst: Bool, _ body: (HistoryTransaction) throws -> Bool
  ) throws

  /// The rows and index entries read since the transaction began: what a query's cost grows with. For tests and `explain`.
  var rowsRead: Int { get }
}

/// Writing, as an engine implements it.
public protocol EngineWriteTransaction: EngineReadTransaction {
  /// Inserts the row that `fill` writes: one value for each field, in order.
  ///
  /// - Throws: ``StorageError``: `duplicateID`, `invalidRecord`, `full`, …
  func insert(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws

  /// Replaces the row of the same id; returns whether there was one.
  func update(_ type: RecordType, _ fill: (inout RowWriter) -> Void) throws -> Bool

  /// Deletes the row of this id, whatever it holds; returns whether there was one.
  func delete(_ type: RecordType, _ id: UUID) throws -> Bool
}

/// What a store can do: data, so that nobody finds out by trying.
public struct StoreCapabilities: Hashable, Sendable {
  /// Other processes can open the same store, and see each other's commits.
  public var isShared: Bool
  /// What was committed is there after the process has ended.
  public var isPersistent: Bool
  /// Programs that do not use this library can write the store and need no code of ours for it.
  public var acceptsForeignWriters: Bool
  /// The store can be backed up to a file, and restored from one.
  public var canBackUp: Bool

  /// - Parameter canBackUp: if it is not said, what is persistent can be.
  public init(isShared: Bool, isPersistent: Bool, acceptsForeignWriters: Bool, canBackUp: Bool? = nil) {
    self.isShared = isShared
    self.isPersistent = isPersistent
    self.acceptsForeignWriters = acceptsForeignWriters
    self.canBackUp = canBackUp ?? isPersistent
  }
}

/// How a query is answered, for people and for tests of plans.
public struct QueryPlan: Hashable, Sendable, CustomStringConvertible {
  /// The index that is walked; `nil` if all rows are read in the order of their ids.
  public var index: String?
  /// The conditions that the engine decides itself: by the index, or in its own query language.
  public var pushed: [Filter]
  /// The conditions that `SaverCore` evaluates on each row that is left.
  public var residual: [Filter]
  /// Whether the rows come in order without being sorted.
  public var isOrderedByIndex: Bool
  /// The engine's own words, if it has any.
  public var detail: String

  public init(index: String?, pushed: [Filter], residual: [Filter], isOrderedByIndex: Bool, detail: String = "") {
    self.index = index
    self.pushed = pushed
    self.residual = residual
    self.isOrderedByIndex = isOrderedByIndex
    self.detail = detail
  }

  public var description: String {
    var lines = ["index: \(index ?? "none")" + (isOrderedByIndex ? ", in order" : ", then sorted")]
    if !pushed.isEmpty { lines.append("pushed: " + pushed.map(\.description).joined(separator: ", ")) }
    if !residual.isEmpty { lines.append("residual: " + residual.map(\.description).joined(separator: ", ")) }
    if !detail.isEmpty { lines.append(detail) }
    return lines.joined(separator: "\n")
  }
}

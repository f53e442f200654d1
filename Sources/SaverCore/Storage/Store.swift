public import FoundationEssentials

/// An open store: records of several types, on whichever engine opened it.
///
///     let notes = try store.read { try $0.fetch(Query<Note>().limit(50)) }
///     try store.write { transaction in try transaction.insert(note) }
///
/// Synchronous, and scoped by closures: a transaction can neither be kept nor used on another thread. Both functions
/// block, a write for as long as other writers need: call them from a thread of your own, not from the cooperative pool.
public struct Store: Sendable {
  public let engine: any Engine
  /// Watches the store for live queries, if there are any; copies of this value share it.
  @usableFromInline package let observer: StoreObserver

  public init(_ engine: any Engine) {
    self.engine = engine
    observer = StoreObserver(engine)
  }

  /// Made with the store; two stores never have the same, copies of one do.
  public var identity: UUID { engine.identity }
  /// Where the store lies; `nil` for one in memory.
  public var path: String? { engine.path }
  public var capabilities: StoreCapabilities { engine.capabilities }
  /// How well live queries learn of changes; ``ObservationStatus/live`` while there are none.
  public var observationStatus: ObservationStatus { observer.status }

  /// Runs `body` on one consistent snapshot: what was committed when it began, and nothing later.
  @inlinable
  public func read<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
    var result: Result?
    try engine.read { result = try body(ReadTransaction($0)) }
    guard let result else { preconditionFailure("the engine has not run the transaction, and has not said why") }
    return result
  }

  /// Runs `body` as the only writer of all processes. When it returns, everything it did is durable; if it throws,
  /// nothing happened.
  ///
  /// - Parameter operation: what the write is a part of, for the history.
  /// - Throws: what `body` throws; ``StorageError`` with `busy` if other writers did not let go in time, `full`,
  ///   `inputOutput`, or `unknownOutcome` if the commit failed while it was being made durable.
  /// - Precondition: not called from within another write of the same store.
  @inlinable @discardableResult
  public func write<Result>(
    _ operation: WriteOperation = WriteOperation(), _ body: (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    var result: Result?
    try engine.write(operation) {
      var transaction = WriteTransaction($0)
      result = try body(&transaction)
    }
    observer.committed()
    guard let result else { preconditionFailure("the engine has not run the transaction, and has not said why") }
    return result
  }

  /// What there is to know about the store for people. With `checkingIntegrity`, reads all of it.
  public func inspect(checkingIntegrity: Bool) throws -> StoreInspection {
    try engine.inspect(checkingIntegrity: checkingIntegrity)
  }
}

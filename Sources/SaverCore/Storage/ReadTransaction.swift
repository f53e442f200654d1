/// A consistent snapshot of a store, within a closure of ``Store/read(_:)``.
public struct ReadTransaction: ~Copyable, TransactionReading {
  public let engine: any EngineReadTransaction

  // Not inlinable: an inlinable initialiser of a noncopyable struct that stores an existential crashes the compiler of
  // the client (Swift 6.3.1, at -O).
  @usableFromInline init(_ engine: any EngineReadTransaction) {
    self.engine = engine
  }
}

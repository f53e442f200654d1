public import FoundationEssentials

/// The entry of a transaction in the history: which changes belong to it, and who made them.
public struct HistoryTransaction: Hashable, Sendable {
  /// Who wrote.
  public enum Author: Hashable, Sendable {
    /// A process that uses this library, by a number that it draws when it starts.
    case process(UUID)
    /// Programs that do not; one entry can stand for several of their transactions.
    case foreign
  }

  /// From the first change to the last.
  public var sequences: ClosedRange<Int64>
  public var author: Author
  /// The numeric user id of the process; `nil` if foreign.
  public var user: UInt32?
  /// `nil` if foreign.
  public var operation: WriteOperation?
  /// When, by the writer's clock, which may have gone back; for a foreign one, when it was found.
  public var time: Date
  /// Random; 0 if foreign, unless the engine keeps one for the entry all the same.
  public var nonce: UInt64

  public init(
    sequences: ClosedRange<Int64>, author: Author, user: UInt32?, operation: WriteOperation?, time: Date, nonce: UInt64
  ) {
    self.sequences = sequences
    self.author = author
    self.user = user
    self.operation = operation
    self.time = time
    self.nonce = nonce
  }
}

extension HistoryTransaction.Author {
  /// This process: drawn when first asked for.
  public static let current = HistoryTransaction.Author.process(.version7())
}

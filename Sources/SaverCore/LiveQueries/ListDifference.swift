public import FoundationEssentials

/// What makes one list of records of another.
///
/// To be applied in this order: take out the deleted records and those that move, at their old indices; put in the inserted
/// ones and those that have moved, at their new indices, in ascending order; then replace the updated ones. Each list
/// is in ascending order (of `to`, for moves). A record that has changed and moved is in both ``updated`` and ``moved``.
/// No list that does the same has fewer moves.
public struct ListDifference<R: Record>: Sendable {
  public typealias Deletion = ListDeletion
  public typealias Move = ListMove

  public struct Insertion: Sendable {
    /// In the new list.
    public var index: Int
    public var record: R
  }

  public struct Update: Sendable {
    /// In the new list.
    public var index: Int
    public var record: R
  }

  public internal(set) var deleted: [Deletion] = []
  public internal(set) var inserted: [Insertion] = []
  public internal(set) var updated: [Update] = []
  public internal(set) var moved: [Move] = []

  /// Nothing.
  public init() {}

  public var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && updated.isEmpty && moved.isEmpty }
  /// The number of deletions, insertions, updates and moves.
  public var count: Int { deleted.count + inserted.count + updated.count + moved.count }
}

/// A record that a list has lost.
public struct ListDeletion: Hashable, Sendable {
  /// In the old list.
  public var index: Int
  public var id: UUID
}

/// A record that stands elsewhere.
public struct ListMove: Hashable, Sendable {
  /// In the old list.
  public var from: Int
  /// In the new list.
  public var to: Int
  public var id: UUID
}

public import FoundationEssentials

/// What makes one list of records of another.
///
/// To be applied in this order: take out the deleted records and those that move, at their old indices; put in the inserted
/// ones and those that have moved, at their new indices, in ascending order; then replace the updated ones. Each list
/// is in ascending order (of `to`, for moves). A record that has changed and moved is in both ``updated`` and ``moved``.
/// No list that does the same has fewer moves.
public struct ListDifference<R: Record>: Sendable {
  public struct Deletion: Hashable, Sendable {
    /// In the old list.
    public var index: Int
    public var id: UUID
  }

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

  public struct Move: Hashable, Sendable {
    /// In the old list.
    public var from: Int
    /// In the new list.
    public var to: Int
    public var id: UUID
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

public import FoundationEssentials

/// The place of a record in a list with sections.
public struct SectionPath: Hashable, Sendable, Comparable {
  public var section: Int
  /// Within the section.
  public var index: Int

  public init(section: Int, index: Int) {
    self.section = section
    self.index = index
  }

  public static func < (path: SectionPath, other: SectionPath) -> Bool {
    (path.section, path.index) < (other.section, other.index)
  }
}

/// What makes one list with sections of another.
///
/// To be applied in this order: take out the deleted records and those that move, at their old places; then the deleted
/// sections, which are empty by now; put in the inserted sections, empty, at their new indices, in ascending order;
/// then the inserted records and those that have moved, at their new places, in ascending order; then replace the
/// updated ones.
public struct SectionedDifference<Key: Hashable & Sendable, R: Record>: Sendable {
  public struct SectionInsertion: Hashable, Sendable {
    /// In the new list.
    public var index: Int
    public var key: Key
  }

  public struct Deletion: Hashable, Sendable {
    /// In the old list.
    public var path: SectionPath
    public var id: UUID
  }

  public struct Insertion: Sendable {
    /// In the new list.
    public var path: SectionPath
    public var record: R
  }

  public struct Update: Sendable {
    /// In the new list.
    public var path: SectionPath
    public var record: R
  }

  public struct Move: Hashable, Sendable {
    /// In the old list.
    public var from: SectionPath
    /// In the new list.
    public var to: SectionPath
    public var id: UUID
  }

  /// The indices of sections of the old list.
  public internal(set) var deletedSections: [Int] = []
  public internal(set) var insertedSections: [SectionInsertion] = []
  public internal(set) var deleted: [Deletion] = []
  public internal(set) var inserted: [Insertion] = []
  public internal(set) var updated: [Update] = []
  public internal(set) var moved: [Move] = []

  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deleted.isEmpty && inserted.isEmpty && updated.isEmpty
      && moved.isEmpty
  }
}

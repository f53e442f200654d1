import FoundationEssentials

/// A list of records in sections: each is a run of records that have the same key.
///
/// Sort the query so that records of one section stand together; if they do not, the same key heads several sections.
public struct SectionedList<Key: Hashable & Sendable, R: Record>: Sendable {
  /// The records of one section.
  public struct Section: RandomAccessCollection, Sendable {
    public let key: Key
    /// Where they stand in the whole list.
    public let range: Range<Int>
    fileprivate let items: RecordList<R>

    public var startIndex: Int { 0 }
    public var endIndex: Int { range.count }
    public subscript(position: Int) -> R { items[range.lowerBound + position] }
  }

  /// All records, without regard to sections.
  public internal(set) var items: RecordList<R>
  let key: @Sendable (R) -> Key
  var keys: [Key] = []
  /// The index of the first record of each section, and behind them the number of records.
  var starts = [0]

  /// Nothing, to begin with.
  public init(by key: @escaping @Sendable (R) -> Key) {
    self.key = key
    items = RecordList()
  }

  public init(_ items: RecordList<R>, by key: @escaping @Sendable (R) -> Key) {
    self.key = key
    self.items = items
    for record in items { append(key(record), 1) }
  }

  /// Appends rows to the last section, or to a new one.
  ///
  /// - Returns: whether it is a new one.
  @discardableResult
  mutating func append(_ key: Key, _ count: Int) -> Bool {
    let end = starts[starts.count - 1] + count
    if keys.last == key {
      starts[starts.count - 1] = end
      return false
    }
    keys.append(key)
    starts.append(end)
    return true
  }

  /// The section and the place in it of the record at an index of ``items``.
  ///
  /// - Complexity: O(log sections)
  public func path(of index: Int) -> SectionPath {
    precondition(index >= 0 && index < items.count, "the list has no such index")
    var low = 0
    var high = keys.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle } else { high = middle }
    }
    return SectionPath(section: low, index: index - starts[low])
  }
}

extension SectionedList: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { keys.count }

  public subscript(position: Int) -> Section {
    Section(key: keys[position], range: starts[position]..<starts[position + 1], items: items)
  }

  public subscript(path: SectionPath) -> R {
    items[starts[path.section] + path.index]
  }
}

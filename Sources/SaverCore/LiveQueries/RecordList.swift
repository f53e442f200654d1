public import FoundationEssentials

/// An immutable list of records with distinct ids: what a live query shows.
///
/// The records lie in chunks that lists share: a list and the one that came out of it by a few changes have all chunks
/// but the changed ones in common. So a copy costs nothing, an old list stays what it was, and the next list of
/// 100,000 records is made in microseconds.
///
/// - Complexity: access by index O(log n), iteration O(1) for each record.
public struct RecordList<R: Record>: Sendable {
  /// A run of records; never changed once made.
  @usableFromInline final class Chunk: Sendable {
    @usableFromInline let records: [R]
    /// Those of `records`, side by side: to be searched without touching the records.
    @usableFromInline let ids: [UUID]

    init(records: [R], ids: [UUID]) {
      self.records = records
      self.ids = ids
    }
  }

  /// No chunk is larger, and none is empty. Small enough that a changed one is soon copied, large enough that a long list
  /// has few.
  static var chunkCountMax: Int { 128 }
  /// A chunk that is smaller after a change is joined to its neighbour, unless it is the last.
  static var chunkCountMin: Int { 32 }

  @usableFromInline let chunks: [Chunk]
  /// The index of the first record of each chunk, and behind them the number of records.
  @usableFromInline let starts: [Int]

  init(chunks: [Chunk], starts: [Int]) {
    self.chunks = chunks
    self.starts = starts
  }

  public init() {
    self.init(chunks: [], starts: [0])
  }

  /// - Precondition: no two records have the same id.
  public init(_ records: some Sequence<R>) {
    var builder = RecordListBuilder<R>()
    for record in records { builder.append(record) }
    self = builder.finish()
  }
}

extension RecordList: RandomAccessCollection {
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { starts[chunks.count] }
  @inlinable public var count: Int { starts[chunks.count] }

  @inlinable public subscript(position: Int) -> R {
    let chunk = chunkIndex(holding: position)
    return chunks[chunk].records[position - starts[chunk]]
  }

  /// The chunk that holds the record at `position`.
  @inlinable func chunkIndex(holding position: Int) -> Int {
    precondition(position >= 0 && position < count, "the list has no such index")
    var low = 0
    var high = chunks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }

  @frozen public struct Iterator: IteratorProtocol {
    @usableFromInline let chunks: [Chunk]
    @usableFromInline var chunk = 0
    @usableFromInline var offset = 0

    @inlinable init(_ list: RecordList) {
      chunks = list.chunks
    }

    @inlinable public mutating func next() -> R? {
      guard chunk < chunks.count else { return nil }
      let records = chunks[chunk].records
      let record = records[offset]
      offset += 1
      if offset == records.count {
        chunk += 1
        offset = 0
      }
      return record
    }
  }

  @inlinable public func makeIterator() -> Iterator { Iterator(self) }
}

extension RecordList: Equatable where R: Equatable {
  public static func == (list: RecordList, other: RecordList) -> Bool {
    if list.isIdentical(to: other) { return true }
    return list.count == other.count && list.elementsEqual(other)
  }
}

extension RecordList {
  /// Whether both are made of the very same chunks, so that they are equal without a look at the records.
  func isIdentical(to other: RecordList) -> Bool {
    chunks.count == other.chunks.count && zip(chunks, other.chunks).allSatisfy { $0 === $1 }
  }

  /// Whether the chunks are as they should be; for tests.
  func checkInvariants() -> Bool {
    guard starts.count == chunks.count + 1, starts.first == 0 else { return false }
    var ids: Set<UUID> = []
    for (index, chunk) in chunks.enumerated() {
      guard chunk.records.count == chunk.ids.count, starts[index + 1] - starts[index] == chunk.ids.count,
        !chunk.ids.isEmpty, chunk.ids.count <= Self.chunkCountMax,
        zip(chunk.records, chunk.ids).allSatisfy({ $0.id == $1 })
      else { return false }
      for id in chunk.ids where !ids.insert(id).inserted { return false }
    }
    return true
  }
}

public import FoundationEssentials

/// An immutable list of records with distinct ids: what a live query shows.
///
/// The records lie in chunks that lists share: a list and the one that came out of it by a few changes have all chunks
/// but the changed ones in common. So a copy costs nothing, an old list stays what it was, and the next list of
/// 100,000 records is made in microseconds.
///
/// - Complexity: access by index O(log n), iteration O(1) for each record.
public struct RecordList<R: Record>: Sendable {
  @usableFromInline let spine: ChunkSpine

  init(_ spine: ChunkSpine) {
    self.spine = spine
  }

  public init() {
    self.init(ChunkSpine())
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
  @inlinable public var endIndex: Int { spine.count }
  @inlinable public var count: Int { spine.count }

  @inlinable public subscript(position: Int) -> R {
    let number = spine.chunkIndex(holding: position)
    return chunk(number).records[position - spine.starts[number]]
  }

  @inlinable func chunk(_ number: Int) -> RecordChunk<R> {
    unsafeDowncast(spine.chunks[number], to: RecordChunk<R>.self)
  }

  @frozen public struct Iterator: IteratorProtocol {
    @usableFromInline let list: RecordList
    @usableFromInline var chunk = 0
    @usableFromInline var offset = 0

    @inlinable init(_ list: RecordList) {
      self.list = list
    }

    @inlinable public mutating func next() -> R? {
      guard chunk < list.spine.chunks.count else { return nil }
      let current = list.chunk(chunk)
      let record = current.records[offset]
      offset += 1
      if offset == current.count {
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
    if list.spine.isIdentical(to: other.spine) { return true }
    return list.count == other.count && list.elementsEqual(other)
  }
}

extension RecordList {
  /// The ids of the records, in their order; a view that copies nothing.
  public var ids: IDs { IDs(spine: spine) }

  /// The ids of a list.
  public struct IDs: RandomAccessCollection, Sendable {
    fileprivate let spine: ChunkSpine

    public var startIndex: Int { 0 }
    public var endIndex: Int { spine.count }

    public subscript(position: Int) -> UUID { spine.id(at: position) }
  }

  /// Where the record with this id stands.
  ///
  /// - Complexity: looks through the ids: microseconds for each ten thousand.
  public func index(of id: UUID) -> Int? { spine.index(of: id) }

  /// Whether the chunks are as they should be; for tests.
  func checkInvariants() -> Bool {
    let (chunks, starts) = (spine.chunks, spine.starts)
    guard starts.count == chunks.count + 1, starts.first == 0 else { return false }
    var ids: Set<UUID> = []
    for (number, start) in starts.dropLast().enumerated() {
      let chunk = chunk(number)
      guard starts[number + 1] - start == chunk.count, (1...ChunkSpine.chunkCountLimit).contains(chunk.count)
      else { return false }
      for offset in 0..<chunk.count {
        let id = chunk.ids[offset]
        if chunk.records[offset].id != id || !ids.insert(id).inserted { return false }
      }
    }
    return true
  }
}

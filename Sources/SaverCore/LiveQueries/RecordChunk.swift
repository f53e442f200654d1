public import FoundationEssentials

/// A run of records in a list, which other lists may share: what can be known without knowing the type of the records.
///
/// What lists do with their ids, and with whole chunks, is compiled once and not looked up for each type as it runs.
///
/// Isolation: filled by one thread, and never changed once a list has it.
@usableFromInline class ListChunk: @unchecked Sendable {
  /// Those of the records, side by side: to be searched without touching the records.
  @usableFromInline final let ids: UnsafeMutablePointer<UUID>
  final let capacity: Int
  // MARK: Mutable state
  // Owned by the thread that fills the chunk, until a list has it.
  // Asked for with each record that is copied; one thread at a time changes it, and calls nothing meanwhile.
  @exclusivity(unchecked) @usableFromInline final fileprivate(set) var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    ids = .allocate(capacity: capacity)
  }

  deinit { ids.deallocate() }

  final var isFull: Bool { count == capacity }

  /// An empty one for records of the same type; here for none, of which there are only ids.
  func makeEmpty(capacity: Int) -> ListChunk { ListChunk(capacity: capacity) }

  /// Appends records of another one of the same type.
  ///
  /// - Precondition: there is room for them.
  func append(_ chunk: ListChunk, _ range: Range<Int>) {
    precondition(range.upperBound <= chunk.count && count + range.count <= capacity, "the chunk is too small")
    (ids + count).initialize(from: chunk.ids + range.lowerBound, count: range.count)
    count += range.count
  }

  /// - Precondition: there is one.
  func removeLast() {
    precondition(count > 0, "the chunk is empty")
    count -= 1
  }
}

/// A run of records of one type.
///
/// Isolation: that of ``ListChunk``.
@usableFromInline final class RecordChunk<R: Record>: ListChunk, @unchecked Sendable {
  @usableFromInline let records: UnsafeMutablePointer<R>

  override init(capacity: Int) {
    records = .allocate(capacity: capacity)
    super.init(capacity: capacity)
  }

  deinit {
    records.deinitialize(count: count)
    records.deallocate()
  }

  override func makeEmpty(capacity: Int) -> ListChunk { RecordChunk(capacity: capacity) }

  override func append(_ chunk: ListChunk, _ range: Range<Int>) {
    let first = count
    super.append(chunk, range)
    let source = unsafeDowncast(chunk, to: RecordChunk.self)
    (records + first).initialize(from: source.records + range.lowerBound, count: range.count)
  }

  override func removeLast() {
    super.removeLast()
    (records + count).deinitialize(count: 1)
  }

  /// - Precondition: it is not full.
  func append(_ record: R) {
    precondition(!isFull, "the chunk is too small")
    (ids + count).initialize(to: record.id)
    (records + count).initialize(to: record)
    count += 1
  }

  /// - Precondition: the record has the id of the one that it takes the place of.
  func replace(_ index: Int, by record: R) {
    precondition(index < count && ids[index] == record.id, "another record is replaced")
    records[index] = record
  }
}

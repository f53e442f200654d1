import FoundationEssentials

/// Records that are gathered one by one: what an array of them is to code that knows their type, for code that knows only
/// their ids.
///
/// A value: no copy sees what is changed in another.
struct ChunkBuffer {
  private(set) var chunk: ListChunk

  /// - Parameter chunk: what it begins with; empty or not, it says of which type the records are.
  init(_ chunk: ListChunk) {
    self.chunk = chunk
  }

  var count: Int { chunk.count }

  func id(at index: Int) -> UUID {
    precondition(index < count, "the buffer has no such index")
    return chunk.ids[index]
  }

  func contains(_ id: UUID) -> Bool {
    for index in 0..<count where chunk.ids[index] == id { return true }
    return false
  }

  /// Appends a record of a chunk of the same type.
  mutating func append(_ source: ListChunk, _ index: Int) {
    makeRoom(for: 1)
    chunk.append(source, index..<index + 1)
  }

  mutating func append(contentsOf buffer: ChunkBuffer) {
    makeRoom(for: buffer.count)
    chunk.append(buffer.chunk, 0..<buffer.count)
  }

  /// - Precondition: there is one.
  mutating func removeLast() {
    makeRoom(for: 0)
    chunk.removeLast()
  }

  mutating func removeFirst(_ count: Int) {
    self = with(capacity: chunk.capacity, count..<self.count)
  }

  /// An empty one for records of the same type.
  func makeEmpty(capacity: Int) -> ChunkBuffer { ChunkBuffer(chunk.makeEmpty(capacity: capacity)) }

  private mutating func makeRoom(for count: Int) {
    let needed = self.count + count
    if needed <= chunk.capacity, isKnownUniquelyReferenced(&chunk) { return }
    self = with(capacity: needed <= chunk.capacity ? chunk.capacity : max(needed, 2 * chunk.capacity), 0..<self.count)
  }

  private func with(capacity: Int, _ range: Range<Int>) -> ChunkBuffer {
    let copy = chunk.makeEmpty(capacity: capacity)
    copy.append(chunk, range)
    return ChunkBuffer(copy)
  }
}

extension ChunkBuffer {
  /// - Precondition: the records are of this type.
  func record<R: Record>(at index: Int, as type: R.Type) -> R {
    precondition(index < count, "the buffer has no such index")
    return unsafeDowncast(chunk, to: RecordChunk<R>.self).records[index]
  }

  /// - Precondition: the records are of this type.
  mutating func append<R: Record>(_ record: R) {
    makeRoom(for: 1)
    unsafeDowncast(chunk, to: RecordChunk<R>.self).append(record)
  }
}

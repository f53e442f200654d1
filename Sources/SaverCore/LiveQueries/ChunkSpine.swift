import FoundationEssentials

/// The chunks of a list, in order. Whatever the records are: it knows their ids.
@usableFromInline struct ChunkSpine: Sendable {
  @usableFromInline let chunks: [ListChunk]
  /// The index of the first record of each chunk, and behind them the number of records.
  @usableFromInline let starts: [Int]

  init(chunks: [ListChunk] = [], starts: [Int] = [0]) {
    self.chunks = chunks
    self.starts = starts
  }

  /// No chunk is larger.
  static var chunkCountLimit: Int { 128 }

  /// How large a chunk of a list of so many records may be: about the root of them. Small enough that a changed one is soon
  /// copied, large enough that a long list has few.
  static func chunkCountMax(in count: Int) -> Int {
    min(max(1 << ((Int.bitWidth - count.leadingZeroBitCount) / 2), 8), chunkCountLimit)
  }

  @usableFromInline var count: Int { starts[chunks.count] }

  /// The chunk that holds the record at `position`.
  @usableFromInline func chunkIndex(holding position: Int) -> Int {
    precondition(position >= 0 && position < count, "the list has no such index")
    var low = 0
    var high = chunks.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }

  func id(at position: Int) -> UUID {
    let chunk = chunkIndex(holding: position)
    return chunks[chunk].ids[position - starts[chunk]]
  }

  /// Where the record with this id stands. Looks through the ids.
  func index(of id: UUID) -> Int? {
    let sought = IDBits(id)
    for number in chunks.indices {
      if let offset = sought.firstIndex(in: chunks[number]) { return starts[number] + offset }
    }
    return nil
  }

  /// The index of each record whose id is among `ids`, in order.
  func indices(of ids: Set<UUID>) -> [Int] {
    if ids.count <= 1 { return ids.first.flatMap { index(of: $0) }.map { [$0] } ?? [] }
    var indices: [Int] = []
    for number in chunks.indices {
      let chunk = chunks[number]
      for offset in 0..<chunk.count where ids.contains(chunk.ids[offset]) { indices.append(starts[number] + offset) }
      if indices.count == ids.count { break }
    }
    return indices
  }

  /// Whether both are made of the very same chunks, so that they are equal without a look at the records.
  func isIdentical(to other: ChunkSpine) -> Bool {
    chunks.count == other.chunks.count && zip(chunks, other.chunks).allSatisfy { $0 === $1 }
  }
}

/// An id as two numbers, which are compared faster than 16 bytes.
private struct IDBits {
  let first: UInt64
  let second: UInt64

  init(_ id: UUID) {
    (first, second) = unsafeBitCast(id.uuid, to: (UInt64, UInt64).self)
  }

  func firstIndex(in chunk: ListChunk) -> Int? {
    let bytes = UnsafeRawPointer(chunk.ids)
    for index in 0..<chunk.count
    where bytes.loadUnaligned(fromByteOffset: 16 * index, as: UInt64.self) == first
      && bytes.loadUnaligned(fromByteOffset: 16 * index + 8, as: UInt64.self) == second
    {
      return index
    }
    return nil
  }
}

/// Makes a list out of records, one by one.
struct RecordListBuilder<R: Record> {
  private var chunks: [ListChunk] = []
  private var starts = [0]
  /// What the next record goes into; not among `chunks` yet.
  private var open = RecordChunk<R>(capacity: ChunkSpine.chunkCountMax(in: 0))

  /// The number of records so far.
  var count: Int { starts[chunks.count] + open.count }

  mutating func append(_ record: R) {
    if open.isFull {
      close()
      open = RecordChunk(capacity: ChunkSpine.chunkCountMax(in: count))
    }
    open.append(record)
  }

  /// - Returns: the list. The builder is not used any more: what it has is the list's.
  consuming func finish() -> RecordList<R> {
    if open.count > 0 { close() }
    return RecordList(ChunkSpine(chunks: chunks, starts: starts))
  }

  private mutating func close() {
    chunks.append(open)
    starts.append(starts[starts.count - 1] + open.count)
  }
}

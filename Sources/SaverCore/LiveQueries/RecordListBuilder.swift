import FoundationEssentials

/// Makes a list out of records and whole chunks of another list, in order.
struct RecordListBuilder<R: Record> {
  typealias Chunk = RecordList<R>.Chunk

  private var chunks: [Chunk] = []
  private var starts = [0]
  /// What is in no chunk yet.
  private var records: [R] = []
  private var ids: [UUID] = []
  private let countMax = RecordList<R>.chunkCountMax

  /// The number of records so far.
  var count: Int { starts[chunks.count] + records.count }

  init(reservingChunks count: Int = 0) {
    chunks.reserveCapacity(count)
    starts.reserveCapacity(count + 1)
  }

  mutating func append(_ record: R) {
    records.append(record)
    ids.append(record.id)
    if records.count == 2 * countMax { close(countMax) }
  }

  /// Appends a part of a chunk.
  mutating func append(_ chunk: Chunk, _ range: Range<Int>) {
    records.append(contentsOf: chunk.records[range])
    ids.append(contentsOf: chunk.ids[range])
    while records.count >= 2 * countMax { close(countMax) }
  }

  /// Appends chunks of a list as they are: shared, unless the first is needed to make up for a small one before it.
  mutating func append(_ list: RecordList<R>, _ range: Range<Int>) {
    var whole = range
    if !records.isEmpty {
      if records.count < RecordList<R>.chunkCountMin {
        append(list.chunks[range.lowerBound], 0..<list.chunks[range.lowerBound].ids.count)
        whole = (range.lowerBound + 1)..<range.upperBound
        if whole.isEmpty { return }
      }
      closeAll()
    }
    chunks.append(contentsOf: list.chunks[whole])
    let shift = starts[starts.count - 1] - list.starts[whole.lowerBound]
    for number in whole { starts.append(list.starts[number + 1] + shift) }
  }

  mutating func finish() -> RecordList<R> {
    // Otherwise records that are appended one by one would each get a chunk.
    if !records.isEmpty, records.count < RecordList<R>.chunkCountMin, let last = chunks.popLast() {
      starts.removeLast()
      records = last.records + records
      ids = last.ids + ids
    }
    closeAll()
    return RecordList(chunks: chunks, starts: starts)
  }

  private mutating func closeAll() {
    if records.count > countMax { close(records.count / 2) }
    if !records.isEmpty { close(records.count) }
  }

  /// Makes a chunk of the first `count` open records.
  private mutating func close(_ count: Int) {
    let start = starts[starts.count - 1]
    if count == records.count {
      chunks.append(Chunk(records: records, ids: ids))
      records = []
      ids = []
    } else {
      chunks.append(Chunk(records: Array(records[..<count]), ids: Array(ids[..<count])))
      records.removeFirst(count)
      ids.removeFirst(count)
    }
    starts.append(start + count)
  }
}

import FoundationEssentials

/// Makes a list out of records and whole chunks of another list, in order.
struct RecordListBuilder<R: Record> {
  typealias Chunk = RecordList<R>.Chunk

  private var chunks: [Chunk] = []
  private var starts = [0]
  /// What is in no chunk yet.
  private var records: [R] = []
  private var ids: [UUID] = []
  private let countMax: Int
  private let countMin: Int

  /// The number of records so far.
  var count: Int { starts[chunks.count] + records.count }

  /// - Parameters:
  ///   - count: how many records it will be, at most.
  ///   - chunks: of how many chunks it is made, about.
  init(count: Int = .max, reservingChunks chunkCount: Int = 0) {
    countMax = RecordList<R>.chunkCountMax(in: count)
    countMin = countMax / RecordList<R>.chunkShareMin
    chunks.reserveCapacity(chunkCount)
    starts.reserveCapacity(chunkCount + 1)
  }

  mutating func append(_ record: R) {
    records.append(record)
    ids.append(record.id)
    if records.count == 2 * countMax { close(countMax) }
  }

  /// Appends a part of a chunk.
  mutating func append(_ chunk: Chunk, _ range: Range<Int>) {
    // Room for one more, which most often comes next. One by one: in code that is not compiled for the record's type,
    // to make a slice and append it takes longer than a dozen records.
    records.reserveCapacity(records.count + range.count + 1)
    ids.reserveCapacity(ids.count + range.count + 1)
    for index in range {
      records.append(chunk.records[index])
      ids.append(chunk.ids[index])
    }
    while records.count >= 2 * countMax { close(countMax) }
  }

  /// Appends chunks of a list as they are: shared, unless the first is needed to make up for a small one before it.
  mutating func append(_ list: RecordList<R>, _ range: Range<Int>) {
    var whole = range
    if !records.isEmpty {
      if records.count < countMin {
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
    if !records.isEmpty, records.count < countMin, let last = chunks.popLast() {
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

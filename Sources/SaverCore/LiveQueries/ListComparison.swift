import FoundationEssentials

/// Finds out what two lists have in common.
///
/// It walks through both side by side, over chunks that they share in one step. Where they part, it looks a little ahead
/// for the place where they meet again. What has no partner then is looked up by its id.
struct ListComparison<R: Record> {
  /// How far it looks ahead.
  private static var reach: Int { 8 }

  private let old: RecordList<R>
  private let new: RecordList<R>
  private let order: RecordOrder<R>
  private var oldPlace: Place
  private var newPlace: Place
  /// Where the chunks of the old list are; made when it is needed.
  private var oldChunks: [ObjectIdentifier: Int]?

  /// What both lists have, in the new order.
  private(set) var runs: [CommonRun] = []
  private(set) var updated: [ListDifference<R>.Update] = []
  /// Indices of records that only the new list has.
  private(set) var inserted: [Int] = []
  /// Indices of records that only the old list has.
  private(set) var deleted: [Int] = []

  /// A place in a list.
  private struct Place {
    var index = 0
    var chunk = 0
    /// Within the chunk.
    var offset = 0

    mutating func advance(in list: RecordList<R>) {
      index += 1
      offset += 1
      if index == list.spine.starts[chunk + 1] { jump(to: chunk + 1, in: list) }
    }

    mutating func jump(to chunk: Int, in list: RecordList<R>) {
      self.chunk = chunk
      offset = 0
      index = list.spine.starts[chunk]
    }
  }

  init(from old: RecordList<R>, to new: RecordList<R>, _ order: RecordOrder<R>) {
    self.old = old
    self.new = new
    self.order = order
    oldPlace = Place()
    newPlace = Place()
  }

  mutating func run() {
    while oldPlace.index < old.count, newPlace.index < new.count {
      let (oldChunk, newChunk) = (old.chunk(oldPlace.chunk), new.chunk(newPlace.chunk))
      if oldPlace.offset == 0, newPlace.offset == 0, oldChunk === newChunk {
        note(oldPlace.index, newPlace.index, oldChunk.count)
        oldPlace.jump(to: oldPlace.chunk + 1, in: old)
        newPlace.jump(to: newPlace.chunk + 1, in: new)
      } else if oldChunk.ids[oldPlace.offset] == newChunk.ids[newPlace.offset] {
        compare(oldChunk.records[oldPlace.offset], newChunk.records[newPlace.offset], at: newPlace.index)
        note(oldPlace.index, newPlace.index, 1)
        oldPlace.advance(in: old)
        newPlace.advance(in: new)
      } else {
        part()
      }
    }
    while oldPlace.index < old.count { skipOld() }
    while newPlace.index < new.count { skipNew() }
    if !deleted.isEmpty, !inserted.isEmpty { matchByID() }
  }

  private mutating func compare(_ record: R, _ other: R, at index: Int) {
    if !order.isSame(record, other) { updated.append(.init(index: index, record: other)) }
  }

  private mutating func note(_ oldIndex: Int, _ newIndex: Int, _ count: Int) {
    if let last = runs.last, last.old + last.count == oldIndex, last.new + last.count == newIndex {
      runs[runs.count - 1].count += count
    } else {
      runs.append(CommonRun(old: oldIndex, new: newIndex, count: count))
    }
  }

  private mutating func skipOld() {
    deleted.append(oldPlace.index)
    oldPlace.advance(in: old)
  }

  private mutating func skipNew() {
    inserted.append(newPlace.index)
    newPlace.advance(in: new)
  }

  /// The two records are not the same: goes on to where the lists may meet again.
  private mutating func part() {
    let (oldID, newID) = (old.spine.id(at: oldPlace.index), new.spine.id(at: newPlace.index))
    for distance in 1...Self.reach {
      if newPlace.index + distance < new.count, new.spine.id(at: newPlace.index + distance) == oldID {
        for _ in 0..<distance { skipNew() }
        return
      }
      if oldPlace.index + distance < old.count, old.spine.id(at: oldPlace.index + distance) == newID {
        for _ in 0..<distance { skipOld() }
        return
      }
    }
    if newPlace.offset == 0, let chunk = oldIndex(of: new.spine.chunks[newPlace.chunk]), chunk > oldPlace.chunk {
      while oldPlace.chunk < chunk { skipOld() }
      return
    }
    skipOld()
    skipNew()
  }

  /// The number of the chunk in the old list, if that has it.
  private mutating func oldIndex(of chunk: ListChunk) -> Int? {
    if oldChunks == nil {
      var numbers: [ObjectIdentifier: Int] = [:]
      for number in old.spine.chunks.indices { numbers[ObjectIdentifier(old.spine.chunks[number])] = number }
      oldChunks = numbers
    }
    return oldChunks?[ObjectIdentifier(chunk)]
  }

  /// Finds the records among those left over that have moved farther than it looks ahead.
  private mutating func matchByID() {
    var places: [UUID: Int] = [:]
    places.reserveCapacity(deleted.count)
    for index in deleted { places[old.spine.id(at: index)] = index }
    let updatedFirst = updated.count
    var onlyNew: [Int] = []
    for index in inserted {
      guard let oldIndex = places.removeValue(forKey: new.spine.id(at: index)) else {
        onlyNew.append(index)
        continue
      }
      compare(old[oldIndex], new[index], at: index)
      note(oldIndex, index, 1)
    }
    if onlyNew.count == inserted.count { return }
    inserted = onlyNew
    deleted = places.values.sorted()
    runs.sort { $0.new < $1.new }
    if updated.count > updatedFirst { updated.sort { $0.index < $1.index } }
  }
}

/// What changed rows mean for a list. It knows the ids of the records: compiled once, whatever they are.
struct ListEdit {
  /// The indices of the list's records that have changed, or are gone, in ascending order.
  var removed: [Int] = []
  /// Changed records that stand before the list's last one, in order.
  var placed: ChunkBuffer
  /// Where, once the removed ones are taken out.
  var places: [Int] = []

  /// Moves records from the end of the list that is about to be made to what stands behind it, the nearest last.
  mutating func cut(from count: inout Int, to limit: Int, _ spine: ChunkSpine, _ reserve: inout ChunkBuffer) {
    var removal = removed.count
    var old = spine.count
    while count > limit {
      count -= 1
      if let place = places.last, place == count {
        reserve.append(placed.chunk, placed.count - 1)
        placed.removeLast()
        places.removeLast()
        continue
      }
      repeat {
        old -= 1
        if removal > 0, removed[removal - 1] == old { removal -= 1 } else { break }
      } while true
      let chunk = spine.chunkIndex(holding: old)
      reserve.append(spine.chunks[chunk], old - spine.starts[chunk])
      removed.insert(old, at: removal)
    }
  }

  /// Appends records of what stands behind to the list that is about to be made.
  mutating func fill(_ count: inout Int, to limit: Int, from reserve: inout ChunkBuffer) {
    while count < limit, reserve.count > 0 {
      placed.append(reserve.chunk, reserve.count - 1)
      places.append(count)
      reserve.removeLast()
      count += 1
    }
  }
}

#if LMDB
import CLMDB
import Glibc
import SaverCore

/// Rows to be sorted: for each its sort key and its key among the rows, in one piece of memory.
///
/// With a limit only the best are kept: whenever twice as many have come together, the worse half goes, and from then on
/// what is no better than the worst that was kept is not even taken in.
struct RowSorter: ~Copyable {
  private struct Entry {
    var offset: Int
    var sortKeySize: Int
    var rowKeySize: Int
  }

  private let limit: Int
  private var entries: [Entry] = []
  private var bytes: UnsafeMutableRawPointer
  private var capacity = 4_096
  private var used = 0
  /// Whether there are as many as the limit and the last is the worst of them.
  private var isFull = false

  init(limit: Int?) {
    self.limit = limit ?? .max
    bytes = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    bytes.deallocate()
  }

  var count: Int { entries.count }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    used = 0
    isFull = false
  }

  mutating func add(_ sortKey: UnsafeRawBufferPointer, row: MDB_val) {
    if isFull, Self.order(sortKey, self.sortKey(entries[limit - 1])) >= 0 { return }
    reserve(sortKey.count + row.mv_size)
    entries.append(Entry(offset: used, sortKeySize: sortKey.count, rowKeySize: row.mv_size))
    (bytes + used).copyMemory(from: sortKey.baseAddress!, byteCount: sortKey.count)
    (bytes + used + sortKey.count).copyMemory(from: row.mv_data, byteCount: row.mv_size)
    used += sortKey.count + row.mv_size
    if entries.count / 2 >= max(limit, 512) { keepBest() }
  }

  /// Sorts; after that, rows are taken by their places.
  mutating func sort() {
    let bytes = bytes
    entries.sort { one, other in
      Self.order(
        UnsafeRawBufferPointer(start: bytes + one.offset, count: one.sortKeySize),
        UnsafeRawBufferPointer(start: bytes + other.offset, count: other.sortKeySize)) < 0
    }
    if entries.count > limit { entries.removeLast(entries.count - limit) }
  }

  /// The key of a row. Valid until the next change.
  func row(at place: Int) -> MDB_val {
    let entry = entries[place]
    return MDB_val(mv_size: entry.rowKeySize, mv_data: bytes + entry.offset + entry.sortKeySize)
  }

  private func sortKey(_ entry: Entry) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + entry.offset, count: entry.sortKeySize)
  }

  private mutating func keepBest() {
    sort()
    isFull = entries.count == limit
    let kept = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    var end = 0
    for index in entries.indices {
      let size = entries[index].sortKeySize + entries[index].rowKeySize
      (kept + end).copyMemory(from: bytes + entries[index].offset, byteCount: size)
      entries[index].offset = end
      end += size
    }
    bytes.deallocate()
    bytes = kept
    used = end
  }

  private mutating func reserve(_ more: Int) {
    guard used + more > capacity else { return }
    capacity = max(capacity * 2, used + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: bytes, byteCount: used)
    bytes.deallocate()
    bytes = larger
  }

  static func order(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    let order = Int(memcmp(one.baseAddress!, other.baseAddress!, min(one.count, other.count)))
    return order != 0 ? order : one.count - other.count
  }
}

extension TupleBuffer {
  /// Appends what sorts a row into the selection's order.
  mutating func append(sortKeyOf row: borrowing RowView, _ selection: Selection) {
    for key in selection.order {
      append(row[slot: key.column], as: selection.type.fields[key.column].type, descending: key.descending)
    }
  }

  /// Appends the sort key of a place.
  mutating func append(sortKeyOf place: [StoredValue], _ selection: Selection) {
    for (key, value) in zip(selection.order, place) {
      append(value, as: selection.type.fields[key.column].type, descending: key.descending)
    }
  }
}
#endif

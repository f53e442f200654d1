#if LMDB
import CLMDB
import Glibc
import SaverCore

/// A cursor over the keys of some ranges, in one direction.
struct RangeCursor: ~Copyable {
  private let cursor: OpaquePointer
  private let ranges: [KeyRange]
  private let isDescending: Bool
  private let path: String
  private var turn = 0
  private var isPositioned = false
  /// The end of the range that is walked, in memory that does not move; `nil` if there is none in this direction.
  private var end: UnsafeMutableRawBufferPointer?
  private(set) var key = MDB_val()
  private(set) var value = MDB_val()

  /// - Parameter ranges: ascending and disjoint.
  init(
    _ database: MDB_dbi, in transaction: OpaquePointer, ranges: [KeyRange], descending: Bool, path: String
  ) throws {
    cursor = try openCursor(database, in: transaction, path: path)
    self.ranges = ranges
    isDescending = descending
    self.path = path
  }

  deinit {
    end?.deallocate()
    mdb_cursor_close(cursor)
  }

  /// Moves to the next key; `false` when there is none.
  @inline(__always) mutating func next() throws -> Bool {
    while turn < ranges.count {
      let result = isPositioned ? get(isDescending ? MDB_PREV : MDB_NEXT) : seek()
      if result == 0 && isInside {
        isPositioned = true
        return true
      }
      if result != 0 && result != MDB_NOTFOUND {
        throw StorageError(lmdb: result, doing: "reading", path: path)
      }
      turn += 1
      isPositioned = false
    }
    return false
  }

  private var range: KeyRange { ranges[isDescending ? ranges.count - 1 - turn : turn] }

  /// Whether the key has not left the range that is walked.
  @inline(__always) private var isInside: Bool {
    guard let end else { return true }
    let common = Int(memcmp(key.mv_data, end.baseAddress!, min(key.mv_size, end.count)))
    let order = common != 0 ? common : key.mv_size - end.count
    return isDescending ? order >= 0 : order < 0
  }

  @inline(__always) private mutating func get(_ operation: MDB_cursor_op) -> Int32 {
    mdb_cursor_get(cursor, &key, &value, operation)
  }

  private mutating func seek() -> Int32 {
    let range = range
    setEnd(isDescending ? (range.lower.isEmpty ? nil : range.lower) : range.upper)
    guard isDescending else {
      return range.lower.isEmpty ? get(MDB_FIRST) : seek(range.lower)
    }
    guard let upper = range.upper else { return get(MDB_LAST) }
    // To the first key that is not less, and back; if there is none the last key is the one.
    let result = seek(upper)
    return result == 0 ? get(MDB_PREV) : result == MDB_NOTFOUND ? get(MDB_LAST) : result
  }

  private mutating func setEnd(_ bound: [UInt8]?) {
    end?.deallocate()
    end = bound.map { bound in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bound.count, alignment: 8)
      copy.copyBytes(from: bound)
      return copy
    }
  }

  private mutating func seek(_ bound: [UInt8]) -> Int32 {
    bound.withUnsafeBytes { bytes in
      key = MDB_val(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      return get(MDB_SET_RANGE)
    }
  }
}

func openCursor(_ database: MDB_dbi, in transaction: OpaquePointer, path: String) throws -> OpaquePointer {
  var cursor: OpaquePointer?
  let result = mdb_cursor_open(transaction, database, &cursor)
  guard result == 0, let cursor else { throw StorageError(lmdb: result, doing: "reading", path: path) }
  return cursor
}
#endif

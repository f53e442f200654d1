import CFloor
import FoundationEssentials

final class SQLiteFloor: Floor {
  let pointer: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    try FloorError.check(floor_sqlite_open(path, &opened), "opening")
    pointer = opened!
  }

  deinit {
    floor_sqlite_close(pointer)
  }

  func insert(_ items: UnsafeBufferPointer<floor_item>, _: floor_access) throws {
    try FloorError.check(floor_sqlite_insert(pointer, items.baseAddress, items.count), "inserting")
  }

  func update(_ items: UnsafeBufferPointer<floor_item>) throws {
    try FloorError.check(floor_sqlite_update(pointer, items.baseAddress, items.count), "updating")
  }

  func delete(_ items: UnsafeBufferPointer<floor_item>) throws {
    try FloorError.check(floor_sqlite_delete(pointer, items.baseAddress, items.count), "deleting")
  }

  func newest(_ limit: Int, _: floor_access) throws -> FloorList {
    try FloorList.reading { floor_sqlite_newest(pointer, limit, &$0) }
  }

  func search(_ word: String) throws -> FloorList {
    try FloorList.reading { floor_sqlite_search(pointer, word, &$0) }
  }

  func lookup(_ id: UUID) throws -> FloorList {
    try withUnsafeBytes(of: id.uuid) { bytes in
      try FloorList.reading {
        floor_sqlite_lookup(pointer, bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), &$0)
      }
    }
  }

  func range(_ range: Range<Date>) throws -> FloorList {
    let (from, until) = (range.lowerBound.timeIntervalSince1970, range.upperBound.timeIntervalSince1970)
    return try FloorList.reading { floor_sqlite_range(pointer, from, until, &$0) }
  }

  func titled(_ title: String) throws -> FloorList {
    try FloorList.reading { floor_sqlite_titled(pointer, title, &$0) }
  }

  func count() throws -> Int {
    var count = 0
    try FloorError.check(floor_sqlite_count(pointer, &count), "counting")
    return count
  }

  func count(_ range: Range<Date>) throws -> Int {
    var count = 0
    let (from, until) = (range.lowerBound.timeIntervalSince1970, range.upperBound.timeIntervalSince1970)
    try FloorError.check(floor_sqlite_count_range(pointer, from, until, &count), "counting")
    return count
  }
}

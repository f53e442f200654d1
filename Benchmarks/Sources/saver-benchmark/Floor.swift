import CFloor

/// A store used with plain C.
protocol Floor: AnyObject {
  /// What the C functions know it by.
  var pointer: OpaquePointer { get }
  /// One durable transaction. SQLite has one way to find a place, whatever is asked for, here and below.
  func insert(_ items: UnsafeBufferPointer<floor_item>, _ access: floor_access) throws
  /// The newest items; all if `limit` is negative.
  func newest(_ limit: Int, _ access: floor_access) throws -> FloorList
  func search(_ word: String) throws -> FloorList
}

/// A call of the floor that failed.
struct FloorError: Error {
  var code: Int32
  var doing: String

  /// - Throws: itself, unless the code is 0.
  static func check(_ code: Int32, _ doing: String) throws {
    if code != 0 { throw FloorError(code: code, doing: doing) }
  }
}

/// Items as C keeps them.
final class FloorList {
  var list = floor_list()

  deinit {
    floor_list_clear(&list)
  }

  var items: UnsafeBufferPointer<floor_item> { UnsafeBufferPointer(start: list.items, count: list.count) }
}

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

  func newest(_ limit: Int, _: floor_access) throws -> FloorList {
    let found = FloorList()
    try FloorError.check(floor_sqlite_newest(pointer, limit, &found.list), "reading")
    return found
  }

  func search(_ word: String) throws -> FloorList {
    let found = FloorList()
    try FloorError.check(floor_sqlite_search(pointer, word, &found.list), "searching")
    return found
  }
}

final class LMDBFloor: Floor {
  let pointer: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    try FloorError.check(floor_lmdb_open(path, &opened), "opening")
    pointer = opened!
  }

  deinit {
    floor_lmdb_close(pointer)
  }

  func insert(_ items: UnsafeBufferPointer<floor_item>, _ access: floor_access) throws {
    try FloorError.check(floor_lmdb_insert(pointer, access, items.baseAddress, items.count), "inserting")
  }

  func newest(_ limit: Int, _ access: floor_access) throws -> FloorList {
    let found = FloorList()
    try FloorError.check(floor_lmdb_newest(pointer, access, limit, &found.list), "reading")
    return found
  }

  func search(_ word: String) throws -> FloorList {
    let found = FloorList()
    try FloorError.check(floor_lmdb_search(pointer, word, &found.list), "searching")
    return found
  }
}

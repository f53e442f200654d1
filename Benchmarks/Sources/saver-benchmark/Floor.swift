import CFloor
import FoundationEssentials

/// A store used with plain C. See `CFloor.h`.
protocol Floor: AnyObject {
  /// What the C functions know it by.
  var pointer: OpaquePointer { get }
  /// One durable transaction. SQLite has one way to find a place, whatever is asked for, here and below.
  func insert(_ items: UnsafeBufferPointer<floor_item>, _ access: floor_access) throws
  /// Sets title and time of change.
  func update(_ items: UnsafeBufferPointer<floor_item>) throws
  func delete(_ items: UnsafeBufferPointer<floor_item>) throws
  /// The newest items; all if `limit` is negative.
  func newest(_ limit: Int, _ access: floor_access) throws -> FloorList
  func search(_ word: String) throws -> FloorList
  func lookup(_ id: UUID) throws -> FloorList
  func range(_ range: Range<Date>) throws -> FloorList
  func titled(_ title: String) throws -> FloorList
  func count() throws -> Int
  func count(_ range: Range<Date>) throws -> Int
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

  /// What a call puts into a new list.
  static func reading(_ body: (inout floor_list) -> Int32) throws -> FloorList {
    let found = FloorList()
    try FloorError.check(body(&found.list), "reading")
    return found
  }
}

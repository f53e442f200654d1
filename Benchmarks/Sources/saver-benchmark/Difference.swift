import CFloor
import FoundationEssentials
import SaverKit

/// Where the floor's rows are not ours: then no figure means anything.
struct Difference: Error {
  var place: Int
  var reason: String

  /// - Throws: the first difference.
  static func find(_ floor: FloorList, _ items: [SavedItem]) throws {
    guard floor.items.count == items.count else {
      throw Difference(place: min(floor.items.count, items.count), reason: "one side has more rows")
    }
    for (place, (copy, item)) in zip(floor.items, items).enumerated() where !isSame(copy, item) {
      throw Difference(place: place, reason: "the rows differ: \(item)")
    }
  }

  private static func isSame(_ copy: floor_item, _ item: SavedItem) -> Bool {
    var tags: [String] = []
    for index in 0..<copy.tag_count { tags.append(String(cString: copy.tags[index]!)) }
    return UUID(uuid: copy.id) == item.id && text(copy.text, copy.text_size) == item.text
      && text(copy.title, copy.title_size) == item.title && tags == item.tags
      && copy.created_at == item.createdAt.timeIntervalSince1970
      && copy.updated_at == item.updatedAt.timeIntervalSince1970
  }

  private static func text(_ start: UnsafeMutablePointer<CChar>?, _ size: Int) -> String? {
    start.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: size), as: UTF8.self) }
  }
}

import CFloor
import FoundationEssentials
import Glibc
import SaverCore
import SaverKit

/// The items that both sides store: the same, made before anything is measured.
struct BenchmarkData {
  let items: [SavedItem]
  let floorItems: FloorList

  /// A word that 20 of 100,000 items have in their texts.
  static let word = "4242"

  /// - Parameter edition: of which the titles and the times of change tell.
  init(_ numbers: Range<Int>, edition: Int = 0) {
    items = numbers.map { Self.item($0, edition) }
    floorItems = FloorList()
    for item in items { Self.copy(item, to: floor_list_add(&floorItems.list)) }
  }

  static func date(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(1_700_000_000 + number)) }

  static func id(_ number: Int) -> UUID {
    var generator = SplitMix64(state: UInt64(number))
    return UUID(
      version7At: UInt64(1_700_000_000 + number) * 1_000, random: (generator.next(), generator.next()))
  }

  /// Every second item has one.
  static func title(_ number: Int, edition: Int = 0) -> String {
    "Article number \(number)" + (edition > 0 ? ", edition \(edition)" : "")
  }

  /// A text of 43 bytes, a title on every second, no tag or one or two; a second apart.
  private static func item(_ number: Int, _ edition: Int) -> SavedItem {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
    return SavedItem(
      id: id(number), text: "https://example.com/article/\(padded)?ref=share",
      title: number % 2 == 1 ? title(number, edition: edition) : nil,
      tags: [[], ["swift"], ["swift", "reading-list"]][number % 3],
      createdAt: date(number), updatedAt: date(number + edition))
  }

  private static func copy(_ item: SavedItem, to copy: UnsafeMutablePointer<floor_item>) {
    copy.pointee.id = item.id.uuid
    (copy.pointee.text, copy.pointee.text_size) = bytes(item.text)
    if let title = item.title { (copy.pointee.title, copy.pointee.title_size) = bytes(title) }
    // Freed by the list, with what it points at.
    let tags = malloc(max(1, item.tags.count) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride)!
      .bindMemory(to: UnsafeMutablePointer<CChar>?.self, capacity: max(1, item.tags.count))
    for (index, tag) in item.tags.enumerated() { tags[index] = bytes(tag).0 }
    copy.pointee.tags = tags
    copy.pointee.tag_count = item.tags.count
    copy.pointee.created_at = item.createdAt.timeIntervalSince1970
    copy.pointee.updated_at = item.updatedAt.timeIntervalSince1970
    (copy.pointee.duplicate_key, copy.pointee.duplicate_key_size) = bytes(WebLink.duplicateKey(of: item.text) ?? "")
  }

  private static func bytes(_ text: String) -> (UnsafeMutablePointer<CChar>?, Int) {
    var text = text
    return text.withUTF8 { (floor_copy($0.baseAddress, $0.count), $0.count) }
  }
}

/// Numbers that are the same in every run.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

import CFloor
import Foundation
import SaverCore
import SaverKit

/// The same items for both sides: links of about 43 bytes, a title on every second, none, one or two tags.
final class TestItems {
  let items: [SavedItem]
  let forC: UnsafeMutablePointer<floor_item>

  init(count: Int) {
    forC = .allocate(capacity: count)
    let tags = [[], ["swift"], ["swift", "reading-list"]]
    items = (0..<count).map { index in
      let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(index))
      let random = (UInt64(index) &* 0x9E37_79B9_7F4A_7C15, UInt64(index) &* 0xBF58_476D_1CE4_E5B9)
      return SavedItem(
        id: UUID(version7At: UInt64(1_700_000_000_000 + index), random: random),
        text: "https://example.com/article/\(index)?ref=share",
        title: index % 2 == 1 ? "Article number \(index)" : nil, tags: tags[index % 3], createdAt: date, updatedAt: date
      )
    }
    for (index, item) in items.enumerated() {
      var copy = floor_item()
      withUnsafeMutableBytes(of: &copy.id) { target in withUnsafeBytes(of: item.id.uuid) { target.copyMemory(from: $0) }
      }
      withUnsafeMutableBytes(of: &copy.text) { $0.copyBytes(from: item.text.utf8) }
      copy.text_length = Int32(item.text.utf8.count)
      withUnsafeMutableBytes(of: &copy.title) { $0.copyBytes(from: (item.title ?? "").utf8) }
      copy.title_length = Int32(item.title?.utf8.count ?? 0)
      copy.tag_count = Int32(item.tags.count)
      copy.created = item.createdAt.timeIntervalSince1970
      (forC + index).initialize(to: copy)
    }
  }

  deinit {
    forC.deallocate()
  }
}

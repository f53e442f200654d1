import FoundationEssentials
import SaverCore
import SaverKit

/// A number that two lists of items share only if they are the same in every byte and in their order (like FNV-1a, by words).
struct Digest: CustomStringConvertible {
  private var state: UInt64 = 0xcbf2_9ce4_8422_2325
  private var count = 0

  init(of items: [SavedItem]) {
    add(items)
  }

  mutating func add(_ items: [SavedItem]) {
    count += items.count
    for item in items {
      withUnsafeBytes(of: item.id.uuid) { add($0) }
      add(item.text)
      add(item.title ?? "\u{0}")
      add(item.tags.count)
      for tag in item.tags { add(tag) }
      add(Int(truncatingIfNeeded: item.createdAt.timeIntervalSince1970.bitPattern))
      add(Int(truncatingIfNeeded: item.updatedAt.timeIntervalSince1970.bitPattern))
    }
  }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  mutating func add(_ number: Int) {
    withUnsafeBytes(of: number) { add($0) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    // Words first: a program that is built for debugging takes its time for each step of a loop.
    let words = bytes.count / 8
    for word in 0..<words {
      state = (state ^ bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) &* 0x100_0000_01b3
      state ^= state >> 29
    }
    for index in words * 8..<bytes.count { state = (state ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
  }

  var description: String { "\(count) \(String(state, radix: 16))" }
}

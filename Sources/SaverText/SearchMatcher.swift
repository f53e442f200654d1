import Glibc

/// Looks for the words of a search in one text after the other, until all are found.
///
/// Texts of ASCII are folded into memory that is kept from text to text: nothing is allocated for them.
///
/// Isolation: used by one thread at a time.
public final class SearchMatcher {
  private let words: [[UInt8]]

  // MARK: Mutable state
  // Owned by the thread that searches.
  private var missing: [Int] = []
  private var scratch: UnsafeMutableRawBufferPointer

  public init(_ words: SearchWords) {
    self.words = words.words
    scratch = .allocate(byteCount: 1024, alignment: 1)
    begin()
  }

  deinit {
    scratch.deallocate()
  }

  /// Forgets what was found: a new record begins.
  public func begin() {
    missing.removeAll(keepingCapacity: true)
    missing.append(contentsOf: words.indices)
  }

  /// Whether every word was found since ``begin()``.
  public var hasFoundAll: Bool { missing.isEmpty }

  /// Looks for the words that are still missing. A text that is not valid UTF-8 has none.
  public func look(in text: UnsafeRawBufferPointer) {
    guard !missing.isEmpty else { return }
    if let folded = foldASCII(text) {
      remove(foundIn: folded)
    } else {
      _ = TextFolding.withFolded(text) { remove(foundIn: $0) }
    }
  }

  private func remove(foundIn folded: UnsafeRawBufferPointer) {
    missing.removeAll { word in words[word].withUnsafeBytes { Self.find($0, in: folded) } }
  }

  /// The lower-case form, in the scratch memory; `nil` if the text has anything else than ASCII.
  private func foldASCII(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    if text.count > scratch.count {
      scratch.deallocate()
      scratch = .allocate(byteCount: text.count * 2, alignment: 1)
    }
    var seen: UInt8 = 0
    for index in 0..<text.count {
      let byte = text[index]
      seen |= byte
      scratch[index] = byte &- 65 < 26 ? byte | 0x20 : byte
    }
    guard seen < 0x80 else { return nil }
    return UnsafeRawBufferPointer(rebasing: scratch[0..<text.count])
  }

  private static func find(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Bool {
    guard let start = text.baseAddress, let first = needle.first, text.count >= needle.count else { return false }
    var position = start
    let last = start + (text.count - needle.count)
    while position <= last {
      guard let found = memchr(position, Int32(first), last - position + 1) else { return false }
      if memcmp(found, needle.baseAddress!, needle.count) == 0 { return true }
      position = UnsafeRawPointer(found) + 1
    }
    return false
  }
}

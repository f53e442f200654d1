#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A word's bytes, and the one among them that text holds least often, by which it is looked for.
struct SoughtBytes: Sendable {
  private let bytes: [UInt8]
  private let anchor: Int

  /// The bytes of a folded word; at least one.
  init(_ bytes: [UInt8]) {
    precondition(!bytes.isEmpty, "There is no empty word")
    self.bytes = bytes
    anchor = bytes.indices.min { Self.commonness(bytes[$0]) < Self.commonness(bytes[$1]) }!
  }

  /// Whether the text holds the word: the C library's vectorised scan for the anchor, a comparison at each hit.
  func occurs(in text: UnsafeRawBufferPointer) -> Bool {
    guard let start = text.baseAddress, bytes.count <= text.count else { return false }
    return bytes.withUnsafeBytes { word in
      let last = start + text.count - word.count + anchor
      var position = start + anchor
      while position <= last,
        let hit = memchr(position, Int32(word[anchor]), last - position + 1).map({ UnsafeRawPointer($0) })
      {
        if memcmp(hit - anchor, word.baseAddress!, word.count) == 0 { return true }
        position = hit + 1
      }
      return false
    }
  }

  /// Letters by how often European languages use them, the most frequent last.
  private static let letters = Array("zjqxkwvbyfpghmcduloshrntiae".utf8)

  /// A rough order. The first byte of a scalar beyond ASCII is the most common of all: a script has one or two of them.
  private static func commonness(_ byte: UInt8) -> Int {
    if byte >= 0xC0 { return letters.count + 1 }
    return letters.firstIndex(of: byte).map { $0 + 1 } ?? 0
  }
}

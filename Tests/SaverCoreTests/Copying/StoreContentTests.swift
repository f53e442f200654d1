import Foundation
import Testing

@testable import SaverCore

@Suite struct StoreContentTests {
  private struct Pair: Record {
    var id: UUID
    var first: String
    var second: String?
    var tags: [String]
    static let schema = Schema(
      "pair", version: 1, Field("id", \Self.id), Field("first", \.first), Field("second", \.second),
      Field("tags", \.tags), make: Self.init(id:first:second:tags:))
  }

  private func content(_ rows: [[StoredValue]]) -> StoreContent {
    var builder = StoreContentBuilder()
    for row in rows { builder.add(row, of: Pair.schema.type) }
    return builder.content
  }

  /// Nothing that differs has the same digest: what is hashed says where each value ends.
  @Test func everyDifferenceShows() {
    let rows: [[StoredValue]] = [
      [.text("ab"), .text("c")], [.text("a"), .text("bc")], [.text("abc"), .null], [.text("abc"), .text("")],
      [.texts([])], [.texts([""])], [.texts(["", ""])], [.texts(["ab"]), .texts([])], [.texts(["a", "b"])],
      [.int(1)], [.bool(true)], [.double(1)], [.date(Date(timeIntervalSince1970: 1))], [.double(0)], [.double(-0.0)],
      [.data(Data("abc".utf8))], [.text("\u{E9}")], [.text("e\u{301}")], [.text("a\0")], [.text("a")],
    ]
    let digests = rows.map { content([$0]).digest }
    #expect(Set(digests).count == rows.count)
    #expect(content([[.text("a")], [.text("b")]]) != content([[.text("a"), .text("b")]]))
    #expect(content([]).count == 0 && content([[], []]).count == 2)
    #expect(content([[.text("a")], [.text("b")]]).digest != content([[.text("b")], [.text("a")]]).digest)
  }

  /// The digest is what other programs can compute: a letter, the size in 8 bytes, the bytes.
  @Test func theDigestIsOfWhatIsDocumented() {
    var bytes = Array("r\0\0\0\0\0\0\0\u{4}pairs\0\0\0\0\0\0\0\u{1}an\0\0\0\0\0\0\0\0".utf8)
    #expect(bytes.count == 9 + 4 + 9 + 1 + 9)
    var hash = SHA256()
    bytes.withUnsafeMutableBytes { hash.update(UnsafeRawBufferPointer($0)) }
    let digest = hash.digest().map { UInt64($0).hexadecimal(digits: 2) }.joined()
    #expect(content([[.text("a"), .null]]).digest == digest)
  }
}

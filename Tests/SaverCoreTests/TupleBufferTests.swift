import FoundationEssentials
import SaverCore
import Testing

/// The order of the encoded bytes is the order of the values.
struct TupleBufferTests {
  @Test func integers() {
    let values: [Int] = [
      .min, .min + 1, -(1 << 56) - 1, -(1 << 56), -(1 << 56) + 1, -65536, -65535, -257, -256, -255, -254, -2, -1, 0, 1,
      2,
      255, 256, 257, 65535, 65536, 1 << 32, (1 << 56) - 1, 1 << 56, .max - 1, .max,
    ]
    expectOrder(values.map { .int($0) }, .int)
  }

  /// Values are equal if their encoded forms are.
  @Test func equality() {
    #expect(StoredValue.text("caf\u{e9}") != .text("cafe\u{301}"))
    #expect(StoredValue.texts(["caf\u{e9}"]) != .texts(["cafe\u{301}"]))
    #expect(StoredValue.text("a") == .text("a"))
    #expect(StoredValue.int(1) != .double(1))
    #expect(StoredValue.null == .null)
  }

  /// The published examples of the layout.
  @Test func layout() {
    #expect(bytes(.int(-5_551_212), .int) == [0x11, 0xab, 0x4b, 0x93])
    #expect(bytes(.int(0), .int) == [0x14])
    #expect(bytes(.int(-1), .int) == [0x13, 0xfe])
    #expect(bytes(.text("F\u{d4}O\0bar"), .string) == [2, 0x46, 0xc3, 0x94, 0x4f, 0x00, 0xff, 0x62, 0x61, 0x72, 0x00])
    #expect(bytes(.data(Data([0x66, 0x6f, 0x6f, 0, 0x62])), .data) == [1, 0x66, 0x6f, 0x6f, 0x00, 0xff, 0x62, 0x00])
    #expect(bytes(.null, .string) == [0])
    #expect(bytes(.double(-42), .double) == [0x21, 0x3f, 0xba, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
    #expect(bytes(.bool(false), .bool) == [0x26])
    #expect(bytes(.bool(true), .bool) == [0x27])
  }

  @Test func doubles() {
    let values: [Double] = [
      -.infinity, -.greatestFiniteMagnitude, -1.5, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1, 1.5,
      .greatestFiniteMagnitude, .infinity,
    ]
    expectOrder(values.map { .double($0) }, .double)
  }

  @Test func texts() {
    expectOrder(
      ["", "\0", "\0\0", "\0a", "\u{1}", "a", "a\0", "a\0b", "aa", "ab", "b", "é", "日", "\u{10FFFF}"].map { .text($0) },
      .string)
  }

  @Test func blobs() {
    expectOrder([[], [0], [0, 0], [0, 0xff], [1], [0xff], [0xff, 0], [0xff, 0xff]].map { .data(Data($0)) }, .data)
  }

  @Test func nullComesFirst() {
    expectOrder([.null, .int(.min)], .int)
    expectOrder([.null, .text("")], .string)
    expectOrder([.null, .bool(false), .bool(true)], .bool)
  }

  /// Descending values follow each other as ascending ones do: none is the beginning of another.
  @Test func twoValues() {
    let texts = ["", "\0", "a", "a\0", "ab"]
    var keys: [(String, String, [UInt8])] = []
    for first in texts {
      for second in texts {
        var key = TupleBuffer()
        key.append(.text(first), as: .string, descending: true)
        key.append(.text(second), as: .string)
        keys.append((first, second, Array(key.bytes)))
      }
    }
    keys.sort { $0.2.lexicographicallyPrecedes($1.2) }
    let expected = texts.reversed().flatMap { first in texts.map { (first, $0) } }
    #expect(keys.map { [$0.0, $0.1] } == expected.map { [$0.0, $0.1] })
  }

  /// The end of an ascending text is not taken for an escaped NUL by what follows.
  @Test func textThenNull() {
    func key(_ text: String, _ rank: StoredValue) -> [UInt8] {
      var key = TupleBuffer()
      key.append(.text(text), as: .string)
      key.append(rank, as: .int, descending: true)
      return Array(key.bytes)
    }
    let sorted = [key("a", .int(1)), key("a", .null), key("a\0", .int(1)), key("a\0", .null)]
    for (first, second) in zip(sorted, sorted.dropFirst()) { #expect(first.lexicographicallyPrecedes(second)) }
  }

  private func bytes(_ value: StoredValue, _ type: FieldType, descending: Bool = false) -> [UInt8] {
    var key = TupleBuffer()
    key.append(value, as: type, descending: descending)
    return Array(key.bytes)
  }

  private func expectOrder(
    _ values: [StoredValue], _ type: FieldType, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (first, second) in zip(values, values.dropFirst()) {
      let up = (bytes(first, type), bytes(second, type))
      #expect(up.0.lexicographicallyPrecedes(up.1), "\(first) before \(second)", sourceLocation: sourceLocation)
      let down = (bytes(first, type, descending: true), bytes(second, type, descending: true))
      #expect(down.1.lexicographicallyPrecedes(down.0), "\(second) before \(first)", sourceLocation: sourceLocation)
    }
  }
}

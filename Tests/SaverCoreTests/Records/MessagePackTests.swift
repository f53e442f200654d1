import Testing

@testable import SaverCore

/// The writer's headers and the bounds-checked reader.
struct MessagePackTests {
  static let lengths = [0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536]

  private func header(_ container: MessagePack.Container, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    MessagePack.header(container, count: count) { bytes.append($0) }
    return bytes
  }

  @Test func headersAreTheShortest() {
    #expect(
      Self.lengths.map { header(.text, $0) } == [
        [0xa0], [0xa1], [0xaf], [0xb0], [0xbf], [0xd9, 32], [0xd9, 255], [0xda, 1, 0], [0xda, 255, 255],
        [0xdb, 0, 1, 0, 0],
      ])
    #expect(
      Self.lengths.map { header(.blob, $0) } == [
        [0xc4, 0], [0xc4, 1], [0xc4, 15], [0xc4, 16], [0xc4, 31], [0xc4, 32], [0xc4, 255], [0xc5, 1, 0],
        [0xc5, 255, 255], [0xc6, 0, 1, 0, 0],
      ])
    #expect(
      Self.lengths.map { header(.array, $0) } == [
        [0x90], [0x91], [0x9f], [0xdc, 0, 16], [0xdc, 0, 31], [0xdc, 0, 32], [0xdc, 0, 255], [0xdc, 1, 0],
        [0xdc, 255, 255], [0xdd, 0, 1, 0, 0],
      ])
  }

  @Test(arguments: lengths)
  func textsAndBlobsComeBack(_ count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 100) }
    let text = header(.text, count) + content + [0xc0]
    text.withUnsafeBytes { bytes in
      var reader = MessagePackReader(bytes)
      #expect(reader?.text().map { $0.elementsEqual(content) } == true)
      #expect(reader?.remaining == 1)
    }
    let blob = header(.blob, count) + content + [0xc0]
    blob.withUnsafeBytes { bytes in
      var reader = MessagePackReader(bytes)
      #expect(reader?.blob().map { $0.elementsEqual(content) } == true)
      #expect(reader?.remaining == 1)
    }
  }

  @Test(arguments: lengths)
  func listsComeBack(_ count: Int) throws {
    let list = (0..<count).map { "\($0)" }
    var writer = RowWriter(columns: 1, listEncoding: .messagePack)
    writer.begin()
    writer.append(list: list)
    let (back, hasEmpty) = try writer.finish { row in
      let back: [String] = try row[0]
      return (back, try StringList.contains(row[slot: 0], UnsafeRawBufferPointer(start: nil, count: 0), 0))
    }
    #expect(back == list)
    #expect(!hasEmpty)
  }

  /// Whatever is cut off, the reader stops and has not moved.
  @Test(arguments: lengths)
  func truncatedContainers(_ count: Int) {
    let content = [UInt8](repeating: 0x61, count: count)
    for whole in [header(.text, count) + content, header(.blob, count) + content, header(.array, count)] {
      for length in Set([0, 1, 2, 3, 4, whole.count - 1]) where length < whole.count {
        whole[..<length].withUnsafeBytes { bytes in
          guard var reader = MessagePackReader(bytes) else { return #expect(length == 0) }
          #expect(reader.text() == nil)
          #expect(reader.blob() == nil)
          #expect(reader.arrayHeader() == nil)
          #expect(reader.remaining == length)
        }
      }
    }
  }

  @Test(
    arguments: [
      ([0x00], 0), ([0x7f], 127), ([0xff], -1), ([0xe0], -32), ([0xc2], 0), ([0xc3], 1), ([0xcc, 0xff], 255),
      ([0xcd, 1, 0], 256), ([0xce, 0xff, 0xff, 0xff, 0xff], 4_294_967_295), ([0xd0, 0x80], -128),
      ([0xd1, 0x80, 0], -32_768),
      ([0xd2, 0x80, 0, 0, 0], -2_147_483_648), ([0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0], Int64.min),
      ([0xcf, 0x7f, 255, 255, 255, 255, 255, 255, 255], Int64.max),
    ] as [([UInt8], Int64)])
  func integersOfEveryWidth(_ bytes: [UInt8], _ value: Int64) {
    var slot = Slot.null
    bytes.withUnsafeBytes { bytes in
      var reader = MessagePackReader(bytes)
      #expect(reader?.read(into: &slot) == true)
      #expect(reader?.isAtEnd == true)
    }
    #expect(slot.kind == .integer && slot.integer == value)
    bytes.dropLast().withUnsafeBytes { bytes in
      var reader = MessagePackReader(bytes)
      #expect(reader?.read(into: &slot) != true)
    }
  }

  @Test(
    arguments: [
      [0xc1], [0x80], [0xca, 0, 0, 0, 0], [0xcf, 0xff, 0, 0, 0, 0, 0, 0, 0], [0xc7, 0, 0], [0xd4, 0, 0], [0xde, 0, 0],
      [0x91, 0xc0], [0x91, 0x01], [0x92, 0xa0], [0xdd, 0xff, 0xff, 0xff, 0xff], [0xdd, 0xff, 0xff, 0xff, 0xff, 0xa0],
    ] as [[UInt8]])
  func otherValuesAreRefused(_ bytes: [UInt8]) {
    var slot = Slot.null
    bytes.withUnsafeBytes { buffer in
      var reader = MessagePackReader(buffer)
      #expect(reader?.read(into: &slot) == false)
      #expect(reader?.remaining == bytes.count, "it has not moved")
      #expect(StringList.decodeMessagePack(buffer) == nil)
    }
  }

  /// Random and mutated bytes: never a crash, never past the end, always an end.
  @Test func fuzz() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("MessagePack fuzz: seed \(seed)")
    var generator = SplitMix(state: seed)
    var writer = RowWriter(columns: 1, listEncoding: .messagePack)
    for _ in 0..<20_000 {
      writer.begin()
      writer.append(list: (0..<Int.random(in: 0...20, using: &generator)).map { "text \($0)" })
      var bytes = try writer.finish { row in Array(row[slot: 0].bytes) }
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
      bytes.withUnsafeBytes { buffer in
        _ = StringList.decodeMessagePack(buffer)
        guard var reader = MessagePackReader(buffer) else { return }
        var slot = Slot.null
        var count = 0
        while reader.read(into: &slot) {
          count += 1
          #expect(reader.position <= reader.end, "seed \(seed)")
          if slot.bytes.count > 0 {
            #expect(slot.bytes.baseAddress! + slot.bytes.count <= reader.end, "seed \(seed)")
          }
        }
        #expect(count <= bytes.count, "seed \(seed)")
      }
    }
  }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

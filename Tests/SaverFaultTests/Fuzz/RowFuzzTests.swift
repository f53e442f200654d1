import Foundation
import SaverTestKit
import Testing

@testable import SaverCore

extension FaultTests {
  /// The encodings of rows and keys, fed with what nobody wrote.
  @Suite struct RowFuzzTests {
    // MARK: MessagePack

    /// A value of the kinds that rows have, as it is written.
    private func value(_ random: inout some RandomNumberGenerator) -> [UInt8] {
      func text(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        MessagePack.header(.text, count: count) { bytes.append($0) }
        return bytes + random.bytes(count)
      }
      switch random.below(5) {
      case 0: return text(random.pick([0, 5, 31, 32, 300]))
      case 1: return [0xcb] + random.bytes(8)
      case 2: return [random.pick([0xc0, 0xc2, 0xc3, 0x7f, 0xe0])]
      case 3: return [0xcf] + random.bytes(8)
      default: return [0x92] + text(3) + text(40)
      }
    }

    @Test func messagePack() {
      let seed = Trials.seed()
      Trials.run("MessagePack", cases: 8_000, atLeast: 50_000) { number, random in
        let whole = (0..<random.below(8)).flatMap { _ in value(&random) }
        let bytes = random.chance(oneIn: 4) ? random.bytes(random.below(40)) : Mutation.bytes(whole, &random)
        // In memory of its own size, so that the sanitizer sees a step too far.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: bytes)
        let view = UnsafeRawBufferPointer(rebasing: memory[..<bytes.count])
        let comment = "seed \(seed), case \(number): \(bytes)"
        _ = StringList.decodeMessagePack(view)
        _ = StringList.decodeJSON(view)
        for start in [0, random.below(bytes.count + 1)] {
          guard var reader = MessagePackReader(UnsafeRawBufferPointer(rebasing: view[start...])) else { continue }
          _ = reader.arrayHeader()
          var slot = Slot.null
          var position = reader.position
          while reader.read(into: &slot) {
            #expect(reader.position > position && reader.position <= reader.end, "\(comment)")
            position = reader.position
            // Whatever it is, its bytes lie within.
            if let pointer = slot.pointer {
              #expect(pointer >= view.baseAddress! && pointer + slot.bytes.count <= reader.end, "\(comment)")
            }
            withUnsafePointer(to: slot) { slot in
              let row = RowView(slots: slot, count: 1)
              for type in [FieldType.bool, .int, .double, .string, .data, .date, .uuid, .strings] {
                _ = try? StoredValue.decode(row, 0, as: type)
              }
              _ = try? StringList.contains(row[slot: 0], UnsafeRawBufferPointer(start: nil, count: 0), 0)
            }
          }
          #expect(reader.position == position || reader.isAtEnd, "\(comment): moved, and read nothing")
        }
      }
    }

    // MARK: JSON lists

    /// Our reader against another one: the same lists, and nothing more.
    @Test func jsonLists() {
      let seed = Trials.seed()
      var lists = 0
      Trials.run("JSON lists", cases: 8_000, atLeast: 50_000) { number, random in
        let list = (0..<random.below(4)).map { _ in Mutation.anyText(&random, upTo: 5) }
        var writer = RowWriter(columns: 1, listEncoding: .json)
        writer.begin()
        writer.append(list: list)
        let (back, written): ([String]?, [UInt8]) =
          (try? writer.finish { row in (try row[0], Array(row[slot: 0].bytes)) }) ?? (nil, [])
        #expect(back?.elementsEqual(list) { Array($0.utf8) == Array($1.utf8) } == true, "seed \(seed), case \(number)")
        var bytes = written
        switch random.below(4) {
        case 0: bytes = (try? [UInt8](JSONSerialization.data(withJSONObject: list))) ?? []
        case 1: bytes = Array(Mutation.text(String(decoding: bytes, as: UTF8.self), &random).utf8)
        default: bytes = Mutation.bytes(bytes, &random)
        }
        let ours = bytes.withUnsafeBytes { StringList.decodeJSON($0) }
        // The other one takes other encodings for JSON, and a comma behind the last text; it leaves out byte order marks
        // within texts, too.
        let text = String(decoding: bytes, as: UTF8.self)
        if bytes.contains(0) || bytes.contains(0xff) || text.unicodeScalars.contains("\u{feff}") { return }
        if text.filter({ !$0.isWhitespace }).hasSuffix(",]") { return }
        let theirs = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String]
        let isSame =
          switch (ours, theirs) {
          case (nil, nil): true
          case (let ours?, let theirs?): ours.elementsEqual(theirs) { Array($0.utf8) == Array($1.utf8) }
          default: false
          }
        if ours != nil { lists += 1 }
        #expect(
          isSame,
          "seed \(seed), case \(number): \(text.debugDescription): \(ours.debugDescription), \(theirs.debugDescription)"
        )
      }
      #expect(lists > 100)
    }

    // MARK: Keys

    private func value(of type: FieldType, _ random: inout some RandomNumberGenerator) -> StoredValue {
      switch type {
      case .bool: .bool(random.chance(oneIn: 2))
      case .int:
        .int(random.pick([0, 1, -1, Int.min, Int.max, 255, 256, -256, Int(truncatingIfNeeded: random.next())]))
      case .double, .date:
        .double(random.pick([0, -0.0, 1, -1, .infinity, -.infinity, Double(Int64(bitPattern: random.next())) / 1e6]))
      case .string: .text(random.pick(["", "a", "a\u{0}", "a\u{0}b", "ab", "é", Mutation.anyText(&random, upTo: 4)]))
      case .uuid: .uuid(UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self)))
      default: .data(Data(random.pick([[], [0], [0, 0], [0, 0xff], [0xff], random.bytes(random.below(6))])))
      }
    }

    /// The bytes of two keys stand in the order of their values, ascending and descending, and whatever follows them.
    @Test func keysAreInTheOrderOfTheirValues() {
      let seed = Trials.seed()
      Trials.run("keys", cases: 8_000, atLeast: 50_000) { number, random in
        let type = random.pick([FieldType.bool, .int, .double, .date, .string, .data, .uuid])
        let (first, second) = (value(of: type, &random), value(of: type, &random))
        for descending in [false, true] {
          var one = TupleBuffer()
          var other = TupleBuffer()
          one.append(first, as: type, descending: descending)
          other.append(second, as: type, descending: descending)
          // What comes next in a compound key must not matter where the first values differ.
          for _ in 0..<random.below(3) { one.append(byte: UInt8.random(in: 0...0xfe, using: &random)) }
          let (a, b) = (EncodedValue(first), EncodedValue(second))
          let order = withExtendedLifetime((a, b)) { Slot.order(a.slot, b.slot) ?? 0 }
          guard order != 0 else { continue }
          let isBefore = one.bytes.lexicographicallyPrecedes(other.bytes)
          #expect(
            isBefore == ((order < 0) != descending),
            "seed \(seed), case \(number): \(first), \(second), descending \(descending)")
        }
      }
    }
  }
}

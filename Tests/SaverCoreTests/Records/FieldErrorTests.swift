import Foundation
import Testing

@testable import SaverCore

/// A row that does not hold what the schema wants is an error that names the column.
struct FieldErrorTests {
  /// Encodes a sample, puts something else into one column, and decodes it.
  private func error(column: Int, _ slot: Slot) -> RowError? {
    var writer = RowWriter(columns: Sample.schema.type.fields.count, listEncoding: .messagePack)
    writer.begin()
    Sample.schema.encode(Sample.all[1], &writer)
    return #expect(throws: RowError.self) {
      try writer.finish { row in
        var slots = (0..<row.count).map { row[slot: $0] }
        slots[column] = slot
        _ = try slots.withUnsafeBufferPointer { slots in
          try Sample.schema.decode(RowView(slots: slots.baseAddress!, count: slots.count))
        }
      }
    }
  }

  private func bytes(_ kind: Slot.Kind, _ content: StaticString) -> Slot {
    .bytes(kind, UnsafeRawPointer(content.utf8Start), content.utf8CodeUnitCount)
  }

  @Test func everyColumnRefusesOtherKinds() {
    let wrong: [Slot] = [
      .null, .null, .integer(1), .null, .integer(1), .real(1), bytes(.text, "1"), bytes(.text, "1"), .real(1),
      bytes(.blob, "1"), .integer(1), bytes(.text, "1"), .null, bytes(.text, "1"), bytes(.text, "1"), .integer(1),
    ]
    #expect(wrong.count == Sample.schema.type.fields.count)
    for (column, slot) in wrong.enumerated() {
      #expect(error(column: column, slot)?.column == column)
    }
  }

  @Test func contentsThatAreNoValues() {
    #expect(error(column: 0, bytes(.blob, "fifteen bytes..")) != nil)
    let invalid: StaticString = "ab"
    let latin: [UInt8] = [0x61, 0xe9]
    latin.withUnsafeBytes { content in
      let found = error(column: 1, .bytes(.text, content.baseAddress, 2))
      #expect(found?.reason.contains("UTF-8") == true)
      #expect(error(column: 2, .bytes(.text, content.baseAddress, 2))?.column == 2)
    }
    #expect(error(column: 3, bytes(.jsonList, invalid))?.column == 3)
    #expect(error(column: 4, bytes(.packedList, invalid))?.column == 4)
    #expect(error(column: 10, bytes(.text, "other"))?.reason.contains("no case") == true)
    #expect(error(column: 11, .integer(2))?.column == 11)
    #expect(error(column: 15, bytes(.text, "z"))?.column == 15)
  }

  @Test func valuesThatCannotBeStored() throws {
    var sample = Sample.all[1]
    sample.weight = .nan
    #expect(encodingError(sample)?.column == 7)
    sample.createdAt = Date(timeIntervalSince1970: .nan)
    #expect(encodingError(sample)?.column == 7, "the first is named")
    sample.weight = 1
    #expect(encodingError(sample)?.column == 14)
  }

  private func encodingError(_ sample: Sample) -> RowError? {
    var writer = RowWriter(columns: Sample.schema.type.fields.count, listEncoding: .json)
    writer.begin()
    Sample.schema.encode(sample, &writer)
    return #expect(throws: RowError.self) { try writer.finish { _ in } }
  }

  @Test func negativeZeroIsZero() throws {
    var writer = RowWriter(columns: 2, listEncoding: .json)
    writer.begin()
    (-0.0).encode(into: &writer)
    Date(timeIntervalSince1970: -0.0).encode(into: &writer)
    try writer.finish { row in
      #expect(row[slot: 0].bits == 0)
      #expect(row[slot: 1].bits == 0)
    }
  }

  @Test func aWriterIsFilledAgain() throws {
    var writer = RowWriter(columns: Sample.schema.type.fields.count, listEncoding: .json)
    for sample in Sample.all + Sample.all {
      writer.begin()
      Sample.schema.encode(sample, &writer)
      let back = try writer.finish { row in try Sample.schema.decode(row) }
      #expect(back == sample)
    }
  }

  @Test func moreValuesThanColumnsStop() async {
    await #expect(processExitsWith: .failure) {
      var writer = RowWriter(columns: 1, listEncoding: .json)
      writer.begin()
      writer.append(.null)
      writer.append(.null)
    }
  }
}

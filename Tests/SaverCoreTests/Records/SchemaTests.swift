import Foundation
import Testing

@testable import SaverCore

/// Schemas: what they describe, and that a record comes back from a row as it went in.
struct SchemaTests {
  @Test(arguments: [RowWriter.ListEncoding.json, .messagePack])
  func recordsOfDistinctValuesComeBack(_ encoding: RowWriter.ListEncoding) throws {
    for sample in Sample.all {
      #expect(try roundTrip(sample, encoding) == sample)
    }
    #expect(try roundTrip(Wide.distinct, encoding) == Wide.distinct)
  }

  /// The encodings of lists are told apart by what a list may contain.
  @Test(arguments: [RowWriter.ListEncoding.json, .messagePack])
  func textsOfAllKindsComeBack(_ encoding: RowWriter.ListEncoding) throws {
    var sample = Sample(id: Sample.id(1))
    let texts = [
      "", "\"", "\\", "\u{0}\u{1}\u{1f}", "\n\r\t", "é e\u{301}", "👩‍👩‍👧", "]", String(repeating: "x", count: 5000),
    ]
    sample.text = texts.joined()
    sample.tags = texts
    sample.labels = Array(repeating: "y", count: 20)
    let back = try roundTrip(sample, encoding)
    #expect(back.text.utf8.elementsEqual(sample.text.utf8))
    #expect(back.tags.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    #expect(back == sample)
  }

  private func roundTrip<R: Record>(_ record: R, _ encoding: RowWriter.ListEncoding) throws -> R {
    var writer = RowWriter(columns: R.schema.type.fields.count, listEncoding: encoding)
    writer.begin()
    R.schema.encode(record, &writer)
    return try writer.finish { row in try R.schema.decode(row) }
  }

  @Test func typeDescribesFields() {
    let type = Sample.schema.type
    #expect(type.name == "sample")
    #expect(type.fields.map(\.name).prefix(4) == ["id", "text", "title", "tags"])
    #expect(
      type.fields.map(\.type).prefix(9) == [.uuid, .string, .string, .strings, .strings, .int, .int, .double, .bool])
    #expect(type.type(ofColumn: 10) == .string)
    #expect(type.type(ofColumn: 11) == .int)
    #expect(type.isOptional(column: 2) && !type.isOptional(column: 1))
    #expect(type.column(named: "rank") == 6)
    #expect(type.column(named: "nothing") == nil)
    #expect(type.column(at: \Sample.rank) == 6)
    #expect(type.column(at: \Sample.shout) == nil)
  }

  @Test func defaults() {
    let fields = Extras.schema.type.fields
    #expect(fields.map(\.default) == [.none, .none, .value(.null), .value(.int(7)), .now])
  }

  @Test func indexesAndDerivedColumns() {
    let type = Extras.schema.type
    #expect(type.indexes.map(\.name) == ["rank", "rank_and_text", "folded"])
    #expect(type.indexes.map(\.columns) == [[3], [3, 1], [5]])
    #expect(type.column(named: "folded") == 5)
    #expect(type.name(ofColumn: 5) == "folded")
    #expect(type.type(ofColumn: 5) == .string)
    #expect(!type.isOptional(column: 5))
  }

  /// The parameter pack says the same as the written-out initialisers.
  @Test func moreThanSixteenFields() throws {
    let type = Wide.schema.type
    #expect(type.fields.count == 17)
    #expect(type.fields.map(\.name) == ["id"] + (1...16).map { "f\($0)" })
    #expect(type.fields.map(\.type) == [.uuid] + Array(repeating: FieldType.int, count: 16))
    #expect(type.column(at: \Wide.f16) == 16)
  }

  @Test func fieldsAreReadByOffsetAndByKeyPath() {
    let sample = Sample.all[1]
    #expect(Field("text", \Sample.text).value(of: sample) == "alpha")
    #expect(Field("shout", \Sample.shout).value(of: sample) == "ALPHA")
    #expect(Field("title", \Sample.title).offset != nil)
    #expect(Field("shout", \Sample.shout).offset == nil)
  }

  @Test func brokenSchemasStop() async {
    typealias Id = Field<Extras, UUID>
    await #expect(processExitsWith: .failure) { _ = Field("Text", \Extras.text) }
    await #expect(processExitsWith: .failure) { _ = Field("", \Extras.text) }
    await #expect(processExitsWith: .failure) { _ = Field("_text", \Extras.text) }
    await #expect(processExitsWith: .failure) { _ = Field("1text", \Extras.text) }
    await #expect(processExitsWith: .failure) { _ = Field("a-b", \Extras.text) }
    await #expect(processExitsWith: .failure) { _ = Extras.schema(named: "Extras", "id", "text") }
    await #expect(processExitsWith: .failure) { _ = Extras.schema(named: "extras", "id", "id") }
    await #expect(processExitsWith: .failure) { _ = Extras.schema(named: "extras", "key", "text") }
    await #expect(processExitsWith: .success) { _ = Extras.schema(named: "extras", "id", "text") }
  }

  @Test func theIdComesFirst() async {
    await #expect(processExitsWith: .failure) {
      _ = Schema(
        "extras", version: 1, Field("text", \Extras.text), Field("id", \Extras.id),
        make: { Extras(id: $1, text: $0) })
    }
  }

  @Test func brokenIndexesStop() async {
    await #expect(processExitsWith: .failure) { _ = Extras.schema(indexes: [Index(\.text), Index(\.text)]) }
    await #expect(processExitsWith: .failure) { _ = Extras.schema(indexes: [Index(\.rank)]) }
    await #expect(processExitsWith: .failure) {
      _ = Extras.schema(derived: [DerivedField("key", from: "id") { $0 }])
    }
    await #expect(processExitsWith: .failure) {
      _ = Extras.schema(derived: [DerivedField("text", from: "text") { $0 }])
    }
    await #expect(processExitsWith: .failure) { _ = DerivedField("Key", from: "text") { $0 } }
    await #expect(processExitsWith: .failure) {
      _ = Schema(
        "sample", version: 1, Field("id", \Sample.id), Field("tags", \Sample.tags, indexed: true),
        make: { Sample(id: $0, tags: $1) })
    }
    await #expect(processExitsWith: .success) {
      _ = Extras.schema(indexes: [Index(\.text)], derived: [DerivedField("key", from: "text") { $0 }])
    }
  }

  /// An enumeration whose cases are in another order than what is stored for them cannot call itself ordered.
  @Test func orderOfEnumerationsIsProved() async {
    #expect(Level.ordersAsStored)
    #expect(!Reversed.ordersAsStored)
    #expect(!Decomposed.ordersAsStored)
    await #expect(processExitsWith: .failure) { _ = Field("order", \Holder.order) }
  }
}

private struct Holder: Sendable {
  var order: Reversed
}

private enum Reversed: Int, CaseIterable, Comparable, OrderedFieldValue {
  case one = 1
  case two = 2
  static func < (first: Reversed, second: Reversed) -> Bool { first.rawValue > second.rawValue }
}

/// Swift orders texts by their canonical forms, a store by their bytes.
private enum Decomposed: String, CaseIterable, Comparable, OrderedFieldValue {
  case letter = "z\u{301}"
  case other = "z\u{e0}"
  case composed = "\u{e9}"
  case decomposed = "e\u{302}"
  static func < (first: Decomposed, second: Decomposed) -> Bool { first.rawValue < second.rawValue }
}

/// Defaults, indexes, and a derived column.
struct Extras: Record {
  let id: UUID
  var text: String
  var title: String?
  var rank = 0
  var createdAt = Date(timeIntervalSince1970: 0)

  static let schema = Schema(
    "extras", version: 3,
    Field("id", \Self.id),
    Field("text", \.text),
    Field("title", \.title),
    Field("rank", \.rank, default: 7, indexed: true),
    Field("created_at", \.createdAt, defaultsToNow: true),
    indexes: [Index(\.rank, \.text)],
    derived: [DerivedField("folded", from: "text") { $0.lowercased() }],
    make: Extras.init(id:text:title:rank:createdAt:))

  static func schema(
    named name: String = "extras", _ id: String = "id", _ text: String = "text", indexes: [Index<Extras>] = [],
    derived: [DerivedField] = []
  ) -> Schema<Extras> {
    Schema(
      name, version: 1, Field(id, \Extras.id), Field(text, \Extras.text), indexes: indexes, derived: derived,
      make: { Extras(id: $0, text: $1) })
  }
}

/// One field more than the written-out initialisers have.
struct Wide: Record, Hashable {
  let id: UUID
  var f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16: Int

  static let distinct = Wide(
    id: Sample.id(99), f1: 1, f2: 2, f3: 3, f4: 4, f5: 5, f6: 6, f7: 7, f8: 8, f9: 9, f10: 10, f11: 11, f12: 12,
    f13: 13, f14: 14, f15: 15, f16: 16)

  static let schema = Schema(
    "wide", version: 1,
    Field("id", \Self.id),
    Field("f1", \.f1), Field("f2", \.f2), Field("f3", \.f3), Field("f4", \.f4), Field("f5", \.f5), Field("f6", \.f6),
    Field("f7", \.f7), Field("f8", \.f8), Field("f9", \.f9), Field("f10", \.f10), Field("f11", \.f11),
    Field("f12", \.f12), Field("f13", \.f13), Field("f14", \.f14), Field("f15", \.f15), Field("f16", \.f16),
    make: Wide.init(id:f1:f2:f3:f4:f5:f6:f7:f8:f9:f10:f11:f12:f13:f14:f15:f16:))
}

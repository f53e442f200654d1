import Foundation
import Testing

@testable import SaverCore

/// A record with a field of every type, for the front ends of queries.
struct Sample: Record, Hashable, Codable {
  let id: UUID
  var text = ""
  var title: String?
  var tags: [String] = []
  var labels: [String]?
  var number = 0
  var rank: Int?
  var weight = 0.0
  var isDone = false
  var isStarred: Bool?
  var kind = Kind.note
  var level = Level.low
  var mood = Mood.calm
  var blob = Data()
  var createdAt = Date(timeIntervalSince1970: 0)
  var phase: Phase?

  static let schema = Schema(
    "sample", version: 1,
    Field("id", \Self.id),
    Field("text", \.text),
    Field("title", \.title),
    Field("tags", \.tags),
    Field("labels", \.labels),
    Field("number", \.number, indexed: true),
    Field("rank", \.rank),
    Field("weight", \.weight),
    Field("is_done", \.isDone),
    Field("is_starred", \.isStarred),
    Field("kind", \.kind),
    Field("level", \.level),
    Field("mood", \.mood),
    Field("blob", \.blob),
    Field("created_at", \.createdAt),
    Field("phase", \.phase),
    make: Sample.init(
      id:text:title:tags:labels:number:rank:weight:isDone:isStarred:kind:level:mood:blob:createdAt:phase:))

  var shout: String { text.uppercased() }
}

/// Cases that are listed; no order.
enum Kind: String, CaseIterable, Codable, FieldValue {
  case note, link, task
  var isTask: Bool { self == .task }
}

/// Cases in the order of their raw values.
enum Level: Int, CaseIterable, Codable, Comparable, OrderedFieldValue {
  case low = 1
  case middle = 5
  case high = 9
  static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
}

/// Cases that nothing lists.
enum Mood: String, Codable, FieldValue {
  case calm, wild
}

/// Cases in another order than their raw values.
enum Phase: String, CaseIterable, Codable, Comparable, FieldValue {
  case first = "c"
  case second = "b"
  case third = "a"
  static func < (first: Phase, second: Phase) -> Bool { first.rawValue > second.rawValue }
}

extension Sample {
  static func id(_ number: UInt64) -> UUID { UUID(version7At: number, random: (0, number)) }

  /// A small world in ASCII: every optional with and without a value, empty and full lists.
  static let all: [Sample] = [
    Sample(id: id(1)),
    Sample(
      id: id(2), text: "alpha", title: "x", tags: ["a"], labels: [], number: 3, rank: 0, weight: 0.5, isDone: true,
      isStarred: true, kind: .link, level: .middle, mood: .wild, blob: Data([1]),
      createdAt: Date(timeIntervalSince1970: 100), phase: .first),
    Sample(
      id: id(3), text: "beta", title: "", tags: ["a", "b"], labels: ["a"], number: -3, rank: 4, weight: -1,
      isStarred: false, kind: .task, level: .high, blob: Data([1, 2, 3]), createdAt: Date(timeIntervalSince1970: 200),
      phase: .third),
    Sample(
      id: id(4), text: "x in text", title: "swift x", tags: ["swift", "b", "c"], labels: ["b", "x"], number: 10,
      rank: -1, weight: 3.25, isDone: true, kind: .task, createdAt: Date(timeIntervalSince1970: -50)),
    Sample(id: id(5), text: "b", title: "alpha", tags: ["x"], number: 7, rank: 7, isStarred: true, phase: .second),
    Sample(id: id(6), text: "alpha", title: "alpha", number: 1, rank: 10, level: .high),
  ]
}

/// The samples that a filter is true of.
func matches(_ filter: Filter) throws -> [Sample] {
  let compiled = try CompiledFilter(filter, Sample.schema.type)
  var writer = RowWriter(columns: Sample.schema.type.fields.count, listEncoding: .messagePack)
  return try Sample.all.filter { sample in
    writer.begin()
    Sample.schema.encode(sample, &writer)
    return try writer.finish { row in compiled.matches(row) }
  }
}

/// Expects that a predicate lowers to a filter with this description, and that both are true of the same samples.
func expectLowering(
  _ predicate: Predicate<Sample>, _ description: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let filter = try Filter(lowering: predicate)
  #expect(filter.description == description, sourceLocation: sourceLocation)
  let evaluated = try Sample.all.filter { try predicate.evaluate($0) }
  #expect(try matches(filter).map(\.id) == evaluated.map(\.id), sourceLocation: sourceLocation)
}

/// Expects that a predicate is refused, by an error with this node, this field, and these words.
func expectRefusal(
  _ predicate: Predicate<Sample>, node: String, field: String?, _ words: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let error = #expect(throws: LoweringError.self, sourceLocation: sourceLocation) {
    try Filter(lowering: predicate)
  }
  guard let error else { return }
  #expect(error.node == node, sourceLocation: sourceLocation)
  #expect(error.field == field, sourceLocation: sourceLocation)
  #expect(error.description.contains(words), "\(error)", sourceLocation: sourceLocation)
  #expect(error.description.contains(node), "\(error)", sourceLocation: sourceLocation)
  if field != nil {
    #expect(error.keyPath?.hasPrefix("\\Sample.") == true, "\(error)", sourceLocation: sourceLocation)
  }
}

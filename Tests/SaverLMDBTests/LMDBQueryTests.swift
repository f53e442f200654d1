#if LMDB
import Foundation
import SaverCore
import SaverLMDB
import SaverMemory
import Testing

/// Random queries over random rows, between random changes: the answers are the reference's.
@Suite struct LMDBQueryTests {
  let folder = TestFolder()
  private static let prefixes = ["p", "q"].map { String(repeating: $0, count: 488) }
  private static let texts = [
    "", "a", "A", "ab", "a\0b", "a\0", "é", "e\u{301}", "\u{7f}", "\u{10ffff}", "-x", "日本", "\0", "\0\u{1}",
  ]

  /// Short ones, and long ones that share more bytes than a key holds.
  private func text(_ generator: inout SeededGenerator) -> String {
    let short = (0..<Int.random(in: 0...3, using: &generator)).map { _ in Self.texts.randomElement(using: &generator)! }
      .joined()
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      return Self.prefixes.randomElement(using: &generator)!
        + String(repeating: "x", count: .random(in: 0...9, using: &generator)) + short
    case 1: return String(repeating: "\0", count: .random(in: 240...250, using: &generator)) + short
    default: return short
    }
  }

  private func sample(_ generator: inout SeededGenerator) -> Sample {
    Sample(
      text: text(&generator), title: Bool.random(using: &generator) ? text(&generator) : nil,
      tags: (0..<Int.random(in: 0...3, using: &generator)).map { _ in Self.texts.randomElement(using: &generator)! },
      kind: Sample.Kind.allCases.randomElement(using: &generator)!, count: .random(in: -2...2, using: &generator),
      rank: Bool.random(using: &generator) ? .random(in: -300...3, using: &generator) : nil,
      score: [0, -1.5, 2, .infinity, -.infinity].randomElement(using: &generator)!,
      isDone: .random(using: &generator), data: Data((0..<Int.random(in: 0...2, using: &generator)).map { UInt8($0) }),
      createdAt: Date(timeIntervalSince1970: Double(Int.random(in: -1...5, using: &generator))))
  }

  private func filter(_ generator: inout SeededGenerator, depth: Int, _ samples: [Sample]) -> Filter {
    let comparison = Comparison.allCases.randomElement(using: &generator)!
    let textField = ["text", "title", "key"].randomElement(using: &generator)!
    let known = samples.randomElement(using: &generator)!
    let value = Bool.random(using: &generator) ? text(&generator) : known.text
    switch Int.random(in: 0..<(depth > 0 ? 21 : 15), using: &generator) {
    case 0: return .compare(textField, comparison, .text(value))
    case 1: return .compare(["rank", "title", "key", "count"].randomElement(using: &generator)!, comparison, .null)
    case 2: return .compare("rank", comparison, .int(.random(in: -3...3, using: &generator)))
    case 3: return .compare("kind", comparison, .text("note"))
    case 4: return .compare("created_at", comparison, .date(Date(timeIntervalSince1970: 3)))
    case 5: return .compare("is_done", comparison, .bool(.random(using: &generator)))
    case 6: return .compareFields("text", comparison, ["title", "key"].randomElement(using: &generator)!)
    case 7:
      return .count(
        ["text", "tags", "data"].randomElement(using: &generator)!, comparison, .random(in: 0...3, using: &generator))
    case 8: return .isIn("rank", [.int(1), .int(3)] + (Bool.random(using: &generator) ? [.null] : []))
    case 9: return .isIn(textField, [.text("a"), .text(value), .null, .text(known.title ?? "")])
    case 10: return .contains(textField, value)
    case 11: return .hasPrefix(textField, Bool.random(using: &generator) ? value : String(value.dropLast(2)))
    case 12: return .hasSuffix(textField, value)
    case 13: return .compare("id", comparison, .uuid(known.id))
    case 14: return .isIn("id", [.uuid(known.id), .uuid(UUID()), .uuid(samples[0].id)])
    case 15: return .not(filter(&generator, depth: depth - 1, samples))
    case 16...19: return .and((0..<2).map { _ in filter(&generator, depth: depth - 1, samples) })
    default: return .or((0..<2).map { _ in filter(&generator, depth: depth - 1, samples) })
    }
  }

  private func query(_ generator: inout SeededGenerator, _ samples: [Sample]) -> Query<Sample> {
    var query = Query<Sample>()
    if Int.random(in: 0..<4, using: &generator) > 0 { query.filter = filter(&generator, depth: 3, samples) }
    let keys = ["rank", "text", "title", "created_at", "is_done", "kind", "id"].shuffled(using: &generator)
    let descending = Bool.random(using: &generator)
    query.order = keys.prefix(.random(in: 0...2, using: &generator)).map {
      SortKey(field: $0, descending: Int.random(in: 0..<5, using: &generator) == 0 ? !descending : descending)
    }
    if Bool.random(using: &generator) { query = query.limit(.random(in: 0...20, using: &generator)) }
    if Bool.random(using: &generator) { query = query.offset(.random(in: 0...5, using: &generator)) }
    if Bool.random(using: &generator) { query = query.after(samples.randomElement(using: &generator)!) }
    return query
  }

  /// Changes that are made in both stores.
  private func change(_ samples: inout [Sample], _ generator: inout SeededGenerator, _ stores: [Store]) throws {
    for _ in 0..<20 {
      let index = samples.indices.randomElement(using: &generator)!
      var new = sample(&generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0:
        for store in stores { try store.write { try $0.insert(new) } }
        samples.append(new)
      case 1:
        new.id = samples[index].id
        if Bool.random(using: &generator) { new.text = samples[index].text }
        for store in stores { #expect(try store.write { try $0.update(new) }) }
        samples[index] = new
      default:
        let id = samples[index].id
        for store in stores { #expect(try store.write { try $0.delete(Sample.self, id: id) }) }
        samples.remove(at: index)
      }
    }
  }

  @Test(arguments: [UInt64.random(in: 0...9_999), 1, 2, 3]) func theAnswersAreTheReferences(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var samples = (0..<150).map { _ in sample(&generator) }
    let memory = try MemoryBackend.open(
      StoreLocation(base: ""), types: [Sample.schema.type], configuration: MemoryBackend.defaultConfiguration)
    let store = try folder.open()
    for each in [memory, store] {
      try each.write { transaction in for sample in samples { try transaction.insert(sample) } }
    }
    for round in 0..<8 {
      for _ in 0..<100 {
        let query = query(&generator, samples)
        let expected = try memory.read { try ($0.fetch(query), $0.count(query)) }
        let found = try store.read { try ($0.fetch(query), $0.count(query), $0.explain(query)) }
        guard found.0 == expected.0 && found.1 == expected.1 else {
          Issue.record("seed \(seed), round \(round): \(query)\n\(found.2)\n\(found.0.count) \(expected.0.count)")
          return
        }
      }
      try change(&samples, &generator, [memory, store])
    }
    #expect(try store.inspect(checkingIntegrity: true).problems == [], "seed \(seed)")
  }
}
#endif

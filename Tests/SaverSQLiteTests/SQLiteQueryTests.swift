#if SQLite
import Foundation
import SaverCore
import SaverMemory
import SaverSQLite
import Testing

/// Random queries over random rows: the answers are the reference's.
@Suite struct SQLiteQueryTests {
  let folder = TestFolder()
  private static let texts = [
    "", "a", "A", "ab", "a\0b", "a\0", "é", "e\u{301}", "\u{7f}", "\u{10ffff}", "\\", "\"", ",", "-x", "日本", "%_*?",
  ]

  private func text(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in Self.texts.randomElement(using: &generator)! }.joined()
  }

  private func sample(_ generator: inout SeededGenerator) -> Sample {
    Sample(
      text: text(&generator), title: Bool.random(using: &generator) ? text(&generator) : nil,
      tags: (0..<Int.random(in: 0...3, using: &generator)).map { _ in Self.texts.randomElement(using: &generator)! },
      kind: Sample.Kind.allCases.randomElement(using: &generator)!, count: .random(in: -2...2, using: &generator),
      rank: Bool.random(using: &generator) ? .random(in: 0...3, using: &generator) : nil,
      score: [0, -1.5, 2, .infinity, -.infinity].randomElement(using: &generator)!,
      isDone: .random(using: &generator), data: Data((0..<Int.random(in: 0...2, using: &generator)).map { UInt8($0) }),
      createdAt: Date(timeIntervalSince1970: Double(Int.random(in: 0...5, using: &generator))))
  }

  private func filter(_ generator: inout SeededGenerator, depth: Int) -> Filter {
    let comparison = Comparison.allCases.randomElement(using: &generator)!
    let textField = ["text", "title", "key"].randomElement(using: &generator)!
    let value = text(&generator)
    switch Int.random(in: 0..<(depth > 0 ? 18 : 14), using: &generator) {
    case 0: return .compare(textField, comparison, .text(value))
    case 1: return .compare(["rank", "title", "key", "count"].randomElement(using: &generator)!, comparison, .null)
    case 2: return .compare("rank", comparison, .int(.random(in: 0...3, using: &generator)))
    case 3: return .compare("score", comparison, .double([0, -1.5, .infinity].randomElement(using: &generator)!))
    case 4: return .compare("created_at", comparison, .date(Date(timeIntervalSince1970: 3)))
    case 5: return .compare("is_done", comparison, .bool(.random(using: &generator)))
    case 6: return .compareFields("text", comparison, ["title", "key"].randomElement(using: &generator)!)
    case 7:
      return .count(
        ["text", "tags", "data"].randomElement(using: &generator)!, comparison,
        .random(in: 0...3, using: &generator))
    case 8: return .isIn("rank", [.int(1), .int(3)] + (Bool.random(using: &generator) ? [.null] : []))
    case 9: return .isIn("key", [.text("a"), .text(value), .null])
    case 10: return .contains(textField, value)
    case 11: return .hasPrefix(textField, value)
    case 12: return .hasSuffix(textField, value)
    case 13: return .hasElement("tags", Self.texts.randomElement(using: &generator)!)
    case 14: return .not(filter(&generator, depth: depth - 1))
    case 15: return .and((0..<2).map { _ in filter(&generator, depth: depth - 1) })
    case 16: return .or((0..<2).map { _ in filter(&generator, depth: depth - 1) })
    default: return .search(["text", "tags"], "a")
    }
  }

  /// A query, and the record behind which its results begin.
  private func query(
    _ generator: inout SeededGenerator, _ samples: [Sample]
  ) -> (query: Query<Sample>, after: Sample?) {
    var query = Query<Sample>(filter: filter(&generator, depth: 3))
    let keys = ["rank", "text", "title", "created_at", "score", "kind"].shuffled(using: &generator)
    query.order = keys.prefix(.random(in: 0...3, using: &generator)).map {
      SortKey(field: $0, descending: .random(using: &generator))
    }
    if Bool.random(using: &generator) { query = query.limit(.random(in: 0...20, using: &generator)) }
    if Bool.random(using: &generator) { query = query.offset(.random(in: 0...5, using: &generator)) }
    guard Bool.random(using: &generator) else { return (query, nil) }
    let after = samples.randomElement(using: &generator)!
    return (query.after(after), after)
  }

  /// The order of two records, from the definition: null first, numbers by size, texts by bytes, the id last in the
  /// direction of the last key.
  private func precedes(_ first: Sample, _ second: Sample, _ keys: [SortKey]) -> Bool {
    func order<Value: Comparable>(_ one: Value?, _ other: Value?) -> Int {
      guard let one, let other else { return (one == nil ? 0 : 1) - (other == nil ? 0 : 1) }
      return one < other ? -1 : one > other ? 1 : 0
    }
    func bytes(_ one: String?, _ other: String?) -> Int {
      guard let one, let other else { return (one == nil ? 0 : 1) - (other == nil ? 0 : 1) }
      return one.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : one.utf8.elementsEqual(other.utf8) ? 0 : 1
    }
    for key in keys {
      let found =
        switch key.field {
        case "rank": order(first.rank, second.rank)
        case "score": order(first.score, second.score)
        case "created_at": order(first.createdAt, second.createdAt)
        case "text": bytes(first.text, second.text)
        case "title": bytes(first.title, second.title)
        default: bytes(first.kind.rawValue, second.kind.rawValue)
        }
      if found != 0 { return (found < 0) != key.descending }
    }
    let found = bytes(first.id.hexadecimal, second.id.hexadecimal)
    return found != 0 && (found < 0) != (keys.last?.descending ?? false)
  }

  @Test(arguments: [UInt64.random(in: 0...9_999), 1, 2]) func theAnswersAreTheReferences(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let samples = (0..<150).map { _ in sample(&generator) }
    let memory = try MemoryBackend.open(
      StoreLocation(base: ""), types: [Sample.schema.type], configuration: MemoryBackend.defaultConfiguration)
    let store = try folder.open()
    for each in [memory, store] {
      try each.write { transaction in for sample in samples { try transaction.insert(sample) } }
    }
    // Some rows as another program leaves them: without the derived value.
    try folder.shell("UPDATE sample SET key = NULL WHERE count > 0")
    for _ in 0..<600 {
      let (query, after) = query(&generator, samples)
      // Which rows: from the reference. In which order, and which of them: from the definition.
      let all = try memory.read { try $0.fetch(Query<Sample>(filter: query.filter)) }
      let expected = all.sorted { precedes($0, $1, query.order) }
        .filter { sample in after.map { precedes($0, sample, query.order) } ?? true }
        .dropFirst(query.offset).prefix(query.limit ?? .max)
      let found = try store.read { try ($0.fetch(query), $0.count(query)) }
      #expect(found.0 == Array(expected) && found.1 == expected.count, "seed \(seed): \(query)")
    }
  }
}
#endif

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
        return .count(["text", "tags", "data"].randomElement(using: &generator)!, comparison,
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

    private func query(_ generator: inout SeededGenerator, _ samples: [Sample]) -> Query<Sample> {
      var query = Query<Sample>(filter: filter(&generator, depth: 3))
      let keys = ["rank", "text", "title", "created_at", "score", "kind"].shuffled(using: &generator)
      query.order = keys.prefix(.random(in: 0...3, using: &generator)).map {
        SortKey(field: $0, descending: .random(using: &generator))
      }
      if Bool.random(using: &generator) { query = query.limit(.random(in: 0...20, using: &generator)) }
      if Bool.random(using: &generator) { query = query.offset(.random(in: 0...5, using: &generator)) }
      if Bool.random(using: &generator) { query = query.after(samples.randomElement(using: &generator)!) }
      return query
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
        let query = query(&generator, samples)
        let expected = try memory.read { try ($0.fetch(query), $0.count(query)) }
        let found = try store.read { try ($0.fetch(query), $0.count(query)) }
        #expect(found.0.map(\.id) == expected.0.map(\.id), "seed \(seed): \(query)")
        #expect(found.0 == expected.0 && found.1 == expected.1, "seed \(seed): \(query)")
      }
    }
  }
#endif

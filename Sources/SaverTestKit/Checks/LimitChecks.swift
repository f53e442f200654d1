import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let limitChecks: [ConformanceCheck] = [
    ConformanceCheck("query.limit", "A limit of none, one, some or more than there are.") { trial in
      try expectCut(trial, limits: [0, 1, 7, 29, 30, 31, .max], offsets: [0])
    },
    ConformanceCheck("query.offset", "An offset leaves out the first results, whatever the limit.") { trial in
      try expectCut(trial, limits: [nil, 0, 1, 5, 100, .max], offsets: [0, 1, 29, 30, 31, .max])
    },
    ConformanceCheck(
      "query.count.limit", "A count is the number of results that a fetch gives, limit and offset included."
    ) {
      trial in
      let store = try trial.open(with: NoteWorld.notes(30))
      for query in shapes {
        for (limit, offset) in [(nil, 0), (4, 0), (nil, 4), (4, 4), (0, 0), (50, 3), (5, 50)] as [(Int?, Int)] {
          let query = query.limit(limit).offset(offset)
          let (found, count) = try store.read { (try $0.fetch(query), try $0.count(query)) }
          try trial.expectEqual(count, found.count, "the count of \(query)")
        }
      }
    },
    ConformanceCheck("query.limit.values", "A query is a value: making a narrower one leaves the first as it was.") {
      trial in
      let notes = NoteWorld.notes(10)
      let store = try trial.open(with: notes)
      let all = Query<Note>().sorted(by: \.rank)
      let some = all.limit(2)
      try trial.expectAnswer(some, on: store, holding: notes)
      try trial.expectAnswer(all, on: store, holding: notes)
      try trial.expect(all != some && some == all.limit(2), "equality of queries")
    },
  ]

  /// By id, by an index, by a sort without one, each with and without a condition.
  private static let shapes: [Query<Note>] = [
    Query(), Query().sorted(by: \.createdAt, descending: true), Query().sorted(by: \.text),
    Query { $0.isDone == true }, Query { $0.rank > 0 }.sorted(by: \.createdAt),
    Query { $0.title == "one" }.sorted(by: \.text),
    Query { $0.text.contains("ork") }, Query { $0.search("work", in: $0.text) }.sorted(by: \.title),
  ]

  private static func expectCut(_ trial: Trial, limits: [Int?], offsets: [Int]) throws {
    let notes = NoteWorld.notes(30)
    let store = try trial.open(with: notes)
    for query in shapes {
      for limit in limits {
        for offset in offsets {
          try trial.expectAnswer(query.limit(limit).offset(offset), on: store, holding: notes)
        }
      }
    }
  }
}

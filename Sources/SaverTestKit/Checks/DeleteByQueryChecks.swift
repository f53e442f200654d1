import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let deleteByQueryChecks: [ConformanceCheck] = [
    ConformanceCheck("query.delete", "A delete takes exactly the results of its query, and says how many.") { trial in
      let notes = NoteWorld.notes(30)
      for query: Query<Note> in [
        Query { $0.isDone == true }, Query { $0.title == nil }, Query { $0.title != "one" },
        Query { $0.text.contains("ork") },
        Query { $0.search("WORK", in: $0.text) }, Query { $0.tags.contains("red") && $0.rank < 2 },
        Query { $0.rank > 9 },
        Query { $0.title.hasPrefix("t") }, Query(),
      ] {
        try expectDeleted(trial, query, notes)
      }
    },
    ConformanceCheck("query.delete.cut", "A delete honours order, limit, offset and the place to begin.") { trial in
      let notes = NoteWorld.notes(30)
      let query = Query<Note>().sorted(by: \.createdAt, descending: true)
      for query in [
        query.limit(5), query.offset(25), query.limit(3).offset(4), query.after(notes[9]),
        query.after(notes[9]).limit(2),
        query.limit(0),
      ] {
        try expectDeleted(trial, query, notes)
      }
    },
    ConformanceCheck("query.delete.byIndex", "A delete by the index that it changes misses nothing.") { trial in
      let specimens = SpecimenWorld.specimens.map(IndexedSpecimen.init)
      let store = try trial.open(with: specimens)
      let filter = Filter.compare("maybe_int", .greater, .int(-300))
      let gone = specimens.filter { FilterOracle.matches(filter, $0) }
      let count = try store.write { try $0.delete(Query<IndexedSpecimen>(filter: filter)) }
      try trial.expectEqual(count, gone.count, "deleted")
      let left = specimens.filter { !FilterOracle.matches(filter, $0) }
      for column in ["maybe_int", "text", "maybe_date", "id"] {
        var query = Query<IndexedSpecimen>()
        query.order = [SortKey(field: column)]
        try trial.expectAnswer(query, on: store, holding: left)
      }
    },
  ]

  private static func expectDeleted(_ trial: Trial, _ query: Query<Note>, _ notes: [Note]) throws {
    let store = try trial.open(Trial.freshName())
    try store.write { transaction in
      for note in notes { try transaction.insert(note) }
    }
    let gone = QueryOracle.results(of: query, in: notes)
    let count = try store.write { try $0.delete(query) }
    try trial.expectEqual(count, gone.count, "deleted by \(query)")
    let left = notes.filter { note in !gone.contains { $0.id == note.id } }
    try trial.expectSame(
      try store.read { try $0.fetch(Query<Note>()) }, QueryOracle.results(of: Query(), in: left),
      "what is left by a delete of \(query)")
  }
}

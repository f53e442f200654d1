import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let invalidQueryChecks: [ConformanceCheck] = [
    ConformanceCheck(
      "query.invalid.filter", "A condition that does not fit the record type is refused, naming the field."
    ) {
      trial in
      let store = try trial.open(with: NoteWorld.notes(2))
      for (field, filter) in [
        ("nothing", .compare("nothing", .equal, .int(1))), ("rank", .compare("rank", .equal, .text("1"))),
        ("rank", .compare("rank", .less, .double(1))), ("created_at", .compare("created_at", .less, .double(1))),
        ("tags", .compare("tags", .less, .texts([]))), ("tags", .compare("tags", .equal, .text("red"))),
        ("rank", .isIn("rank", [.int(1), .text("2")])), ("rank", .contains("rank", "1")),
        ("tags", .hasPrefix("tags", "r")),
        ("text", .hasElement("text", "a")), ("rank", .count("rank", .equal, 1)),
        ("rank", .search(["text", "rank"], "a")),
        ("rank", .compareFields("rank", .equal, "text")), ("nothing", .compareFields("rank", .equal, "nothing")),
        ("nothing", .and([.constant(true), .or([.not(.compare("nothing", .equal, .null))])])),
      ] as [(String, Filter)] {
        let query = Query<Note>(filter: filter)
        try trial.expectError(.invalidQuery, mentioning: field, "a fetch of \(filter)") {
          _ = try store.read { try $0.fetch(query) }
        }
        try trial.expectError(.invalidQuery, mentioning: field, "a count of \(filter)") {
          _ = try store.read { try $0.count(query) }
        }
        try trial.expectError(.invalidQuery, mentioning: field, "a delete of \(filter)") {
          _ = try store.write { try $0.delete(query) }
        }
      }
      try trial.expectEqual(try store.read { try $0.count(Query<Note>()) }, 2, "records after refused deletes")
    },
    ConformanceCheck("query.invalid.nan", "A comparison with NaN is refused.") { trial in
      let store = try trial.open(with: Array(SpecimenWorld.specimens.prefix(2)))
      for filter: Filter in [
        .compare("double", .less, .double(.nan)), .isIn("maybe_double", [.double(.nan)]),
        .compare("date", .equal, .date(Date(timeIntervalSince1970: .nan))),
      ] {
        try trial.expectError(.invalidQuery, "\(filter)") {
          _ = try store.read { try $0.count(Query<Specimen>(filter: filter)) }
        }
      }
    },
    ConformanceCheck("query.invalid.order", "A sort key that is no field, or has no order, is refused, naming it.") {
      trial in
      let store = try trial.open(with: NoteWorld.notes(2))
      for field in ["nothing", "tags", "topic"] {
        var query = Query<Note>()
        query.order = [SortKey(field: field)]
        let refused = query
        try trial.expectError(.invalidQuery, mentioning: field, "sorting by \(field)") {
          _ = try store.read { try $0.fetch(refused) }
        }
      }
    },
    ConformanceCheck("query.invalid.position", "A place that does not fit the sort keys is refused.") { trial in
      let store = try trial.open(with: NoteWorld.notes(2))
      for values: [StoredValue] in [[], [.text("a")], [.int(1), .int(2)], [.null]] {
        var query = Query<Note>().sorted(by: \.rank)
        query.position = Position(values: values, id: .version7())
        let refused = query
        try trial.expectError(.invalidQuery, "a place of \(values)") { _ = try store.read { try $0.fetch(refused) } }
      }
    },
    ConformanceCheck("query.invalid.after", "A refused query leaves the transaction as it was.") { trial in
      let store = try trial.open()
      let note = NoteWorld.note()
      try store.write { transaction in
        try transaction.insert(note)
        do {
          _ = try transaction.count(Query<Note>(filter: .contains("rank", "1")))
          throw trial.failure("a refused query was answered", #fileID, #line)
        } catch let error as StorageError where error.code == .invalidQuery {}
        try trial.expectEqual(try transaction.count(Query<Note>()), 1, "the count afterwards")
      }
      try trial.expectSame(try store.read { try $0.fetch(Query<Note>()) }, [note], "after the commit")
    },
  ]
}

import FoundationEssentials
import SaverCore

/// What a query reads, counted in rows and index entries, on a table that is large beside the answer.
extension ConformanceSuite {
  static let costChecks: [ConformanceCheck] = [
    ConformanceCheck("cost.page", "A page by an index reads about a page: the first, the next, and the last.") {
      trial in
      guard trial.subject.usesIndexes else { return }
      let store = try trial.open(with: table)
      for descending in [false, true] {
        let query = Query<Note>().sorted(by: \.createdAt, descending: descending).limit(50)
        let sorted = QueryOracle.results(of: query.limit(nil), in: table)
        try expectRead(trial, store, query, atMost: pageReadMax)
        try expectRead(trial, store, query.after(sorted[49]), atMost: pageReadMax)
        try expectRead(trial, store, query.after(sorted[table.count - 60]), atMost: pageReadMax)
      }
    },
    ConformanceCheck("cost.ties", "A page in the midst of equal values reads no more than another.") { trial in
      guard trial.subject.usesIndexes else { return }
      var notes = table
      for index in notes.indices { notes[index].title = "same" }
      let store = try trial.open(with: notes)
      let query = Query<Note>().sorted(by: \.title).limit(50)
      let sorted = QueryOracle.results(of: query.limit(nil), in: notes)
      try expectRead(trial, store, query.after(sorted[table.count / 2]), atMost: pageReadMax)
    },
    ConformanceCheck("cost.byID", "A record by its id, and a page by the ids, read no more than they give.") { trial in
      guard trial.subject.usesIndexes else { return }
      let store = try trial.open(with: table)
      let read = try store.read { transaction in
        _ = try transaction.record(Note.self, id: table[7].id)
        return transaction.rowsRead
      }
      try trial.expect(read <= 2, "a record by its id reads \(read) rows")
      try expectRead(trial, store, Query<Note>().limit(50), atMost: pageReadMax)
      try expectRead(trial, store, Query<Note>(filter: .compare("id", .equal, .uuid(table[9].id))), atMost: 4)
    },
    ConformanceCheck("cost.lookup", "An equality, a prefix or a range on an index reads about its results.") { trial in
      guard trial.subject.usesIndexes else { return }
      var notes = table
      for index in notes.indices { notes[index].title = "title \(index + 1_000)" }
      notes[5].text = "Rare: a topic of its own"
      let store = try trial.open(with: notes)
      try expectRead(trial, store, Query<Note> { $0.title == "title 1033" }, atMost: 10)
      try expectRead(trial, store, Query<Note> { $0.title.hasPrefix("title 103") }, atMost: 40)
      try expectRead(trial, store, Query<Note> { $0.title >= "title 1100" && $0.title < "title 1105" }, atMost: 30)
      try expectRead(trial, store, Query<Note>(filter: .compare("topic", .equal, .text("rare"))), atMost: 10)
    },
    ConformanceCheck("cost.plan", "A plan of a page by an index names the index and needs no sort.") { trial in
      guard trial.subject.usesIndexes else { return }
      let store = try trial.open(with: NoteWorld.notes(10))
      let query = Query<Note>().sorted(by: \.createdAt, descending: true).limit(5)
      let plan = try store.read { try $0.explain(query) }
      try trial.expect(
        plan.index == "created_at" && plan.isOrderedByIndex, "the plan of \(query) is \(plan)")
    },
  ]

  private static let table = NoteWorld.notes(1_500)
  /// A page of 50, each with its index entry, and some for finding the place.
  private static let pageReadMax = 120

  private static func expectRead(
    _ trial: Trial, _ store: Store, _ query: Query<Note>, atMost limit: Int, line: Int = #line
  ) throws {
    let (found, read) = try store.read { transaction in
      let found = try transaction.fetch(query)
      return (found.count, transaction.rowsRead)
    }
    try trial.expect(found > 0, "\(query) found nothing", line: line)
    try trial.expect(
      read <= limit, "\(query) read \(read) rows and index entries of \(table.count), for \(found) results", line: line)
    try trial.expect(read >= found, "\(query) counted \(read) rows for \(found) results", line: line)
  }
}

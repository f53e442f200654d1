import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let pagingChecks: [ConformanceCheck] =
    SpecimenWorld.orderedColumns.map { column in
      ConformanceCheck(
        "query.page.\(column)", "Pages by '\(column)' walk the table once, over ties and nils, both ways."
      ) {
        trial in
        for descending in [false, true] {
          try expectPages(trial, [SortKey(field: column, descending: descending)])
        }
      }
    } + [
      ConformanceCheck("query.page.none", "Pages without a sort key go by the id.") { trial in
        try expectPages(trial, [])
      },
      ConformanceCheck("query.page.mixed", "Pages by several keys of mixed directions walk the table once.") { trial in
        for (first, second, third) in [
          (false, false, false), (false, true, false), (true, false, true), (true, true, false), (false, false, true),
        ] {
          try expectPages(
            trial,
            [SortKey(field: "maybe_int", descending: first), SortKey(field: "text", descending: second)])
          try expectPages(
            trial,
            [
              SortKey(field: "bool", descending: first), SortKey(field: "maybe_date", descending: second),
              SortKey(field: "int", descending: third),
            ])
          try expectPages(
            trial,
            [
              SortKey(field: "maybe_kind", descending: first), SortKey(field: "maybe_rank", descending: second),
              SortKey(field: "maybe_bool", descending: third),
            ])
        }
      },
      ConformanceCheck("query.page.filtered", "Pages of a condition walk its results once.") { trial in
        let filters: [Filter] = [
          .compare("maybe_int", .greater, .int(0)), .compare("bool", .equal, .bool(true)), .contains("text", "a"),
          .isIn("rank", [.int(0), .int(300)]), .compare("maybe_int", .equal, .null),
        ]
        for filter in filters {
          try expectPages(trial, [SortKey(field: "maybe_int"), SortKey(field: "text", descending: true)], filter)
          try expectPages(trial, [SortKey(field: "maybe_date", descending: true)], filter)
        }
      },
      ConformanceCheck("query.page.offset", "An offset counts from the place where the page begins.") { trial in
        let notes = NoteWorld.notes(30)
        let store = try trial.open(with: notes)
        for query in [Query<Note>().sorted(by: \.rank), Query<Note>().sorted(by: \.createdAt, descending: true)] {
          for record in [notes[3], notes[17]] {
            for (limit, offset) in [(4, 2), (nil, 3), (1, 0), (5, 100)] as [(Int?, Int)] {
              try trial.expectAnswer(query.after(record).limit(limit).offset(offset), on: store, holding: notes)
            }
          }
        }
      },
      ConformanceCheck(
        "query.page.foreignPlace", "A page can go on from a place that the condition leaves out."
      ) { trial in
        let notes = NoteWorld.notes(30)
        let store = try trial.open(with: notes)
        let queries =
          Note.Kind.allCases.flatMap { kind in
            let some = Query<Note> { $0.kind == kind }
            return [some.sorted(by: \.kind, descending: true), some.sorted(by: \.kind).sorted(by: \.createdAt)]
          }
          + Set(notes.map(\.rank)).sorted().map { rank in
            // No index begins with the rank: the condition fixes the order, and the ids walk in it.
            Query<Note> { $0.rank == rank }.sorted(by: \.rank)
          }
        for query in queries {
          for record in notes { try trial.expectAnswer(query.after(record), on: store, holding: notes) }
        }
      },
      ConformanceCheck("query.page.goneRecord", "A page goes on from a record that was deleted, or changed, since.") {
        trial in
        let notes = NoteWorld.notes(20)
        let store = try trial.open(with: notes)
        for query in [Query<Note>().sorted(by: \.title), Query<Note>().sorted(by: \.rank, descending: true)] {
          let first = try store.read { try $0.fetch(query.limit(6)) }
          guard let last = first.last else { throw trial.failure("an empty page", #fileID, #line) }
          let rest = query.after(last)
          let wanted = try store.read { try $0.fetch(rest) }
          _ = try store.write { try $0.delete(Note.self, id: last.id) }
          try trial.expectSame(try store.read { try $0.fetch(rest) }, wanted, "behind a deleted record")
          try store.write { try $0.insert(last) }
        }
      },
      ConformanceCheck("query.page.moving", "Pages show once what stays, while other records come and go between them.")
      {
        trial in
        let notes = NoteWorld.notes(60)
        for query in [
          Query<Note>().sorted(by: \.createdAt, descending: true), Query<Note>().sorted(by: \.title),
          Query<Note>().sorted(by: \.isDone).sorted(by: \.rank, descending: true), Query<Note>(),
        ] {
          try expectStablePages(trial, query, notes)
        }
      },
      ConformanceCheck("query.page.position", "A place may hold values that no record has.") { trial in
        let notes = NoteWorld.notes(20)
        let store = try trial.open(with: notes)
        for values: [StoredValue] in [[.null], [.text("")], [.text("oz")], [.text("\u{10ffff}")]] {
          for descending in [false, true] {
            var query = Query<Note>().sorted(by: \.title, descending: descending)
            for id in [notes[5].id] + ValuePool.uuids.prefix(1) + ValuePool.uuids.suffix(1) {
              query.position = Position(values: values, id: id)
              try trial.expectAnswer(query, on: store, holding: notes)
            }
          }
        }
      },
    ]

  private static func expectPages(_ trial: Trial, _ order: [SortKey], _ filter: Filter = .constant(true)) throws {
    let store = try trial.open(Trial.freshName())
    let indexed = SpecimenWorld.specimens.map(IndexedSpecimen.init)
    try store.write { transaction in
      for specimen in indexed {
        try transaction.insert(specimen.specimen)
        try transaction.insert(specimen)
      }
    }
    var query = Query<Specimen>(filter: filter)
    query.order = order
    try trial.expectPages(of: query, size: 5, on: store, holding: SpecimenWorld.specimens)
    var other = Query<IndexedSpecimen>(filter: filter)
    other.order = order
    try trial.expectPages(of: other, size: 5, on: store, holding: indexed)
  }

  /// Takes and adds records between the pages; those that were there all the time must come exactly once, in order.
  private static func expectStablePages(_ trial: Trial, _ query: Query<Note>, _ notes: [Note]) throws {
    let store = try trial.open(Trial.freshName())
    try store.write { transaction in
      for note in notes { try transaction.insert(note) }
    }
    var leaving = notes.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
    let staying = notes.enumerated().filter { $0.offset % 4 != 0 }.map(\.element)
    var coming = NoteWorld.notes(leaving.count, seed: 99)
    var found: [Note] = []
    var page = query.limit(7)
    for _ in 0..<30 {
      let next = try store.read { try $0.fetch(page) }
      found += next
      guard let last = next.last else { break }
      let (gone, new) = (leaving.popLast(), coming.popLast())
      try store.write { transaction in
        if let gone { try transaction.delete(Note.self, id: gone.id) }
        if let new { try transaction.insert(new) }
      }
      page = query.limit(7).after(last)
    }
    let ids = Set(staying.map(\.id))
    let wanted = QueryOracle.results(of: query, in: staying)
    try trial.expectSame(found.filter { ids.contains($0.id) }, wanted, "what stayed, in pages of \(query)")
    try trial.expectEqual(Set(found.map(\.id)).count, found.count, "records that came once, in pages of \(query)")
  }
}

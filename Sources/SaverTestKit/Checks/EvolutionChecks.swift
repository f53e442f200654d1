import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let evolutionChecks: [ConformanceCheck] = [
    persistent("evolve.added", "Fields that are optional or have a default, indexes and derived fields may be added.") {
      trial in
      try makePages(trial)
      try trial.session([Evolution.Second.recordType]) { store in
        let found = try store.read { try $0.fetch(Query<Evolution.Second>().sorted(by: \.text)) }
        try trial.expectEqual(found.map(\.id), Evolution.pages.map(\.id), "ids")
        try trial.expectEqual(found.map(\.text), Evolution.pages.map(\.text), "texts")
        try trial.expectEqual(found.map(\.level), Evolution.pages.map(\.level), "levels")
        try trial.expectEqual(found.map(\.note), Evolution.pages.map { _ in nil }, "the added optional field")
        try trial.expectEqual(found.map(\.stars), Evolution.pages.map { _ in 3 }, "the added field with a default")
      }
    },
    persistent("evolve.index", "An added index, or derived field, finds the records that were there before.") { trial in
      try makePages(trial)
      let again = [Evolution.Second.recordType]
      try trial.session(again) { store in
        try store.write {
          try $0.insert(Evolution.Second(id: .version7(), text: "new", note: "n", stars: 5, level: 1))
        }
      }
      try trial.session(again) { store in
        let counts = try store.read { transaction in
          [
            try transaction.count(Query<Evolution.Second> { $0.stars == 3 }),
            try transaction.count(Query<Evolution.Second> { $0.level == 1 }),
            try transaction.count(Query<Evolution.Second> { $0.stars >= 3 && $0.text == "page 4" }),
            try transaction.count(Query<Evolution.Second>(filter: .compare("text_upper", .equal, .text("PAGE 2")))),
            try transaction.count(Query<Evolution.Second>(filter: .compare("text_upper", .equal, .text("NEW")))),
          ]
        }
        try trial.expectEqual(counts, [8, 4, 1, 1, 1], "records found by added indexes")
        let byLevel = Query<Evolution.Second>().sorted(by: \.level, descending: true)
        let levels = try store.read { try $0.fetch(byLevel) }.map(\.level)
        try trial.expectEqual(levels, levels.sorted(by: >), "levels in the order of the added index")
        try trial.expectEqual(try store.inspect(checkingIntegrity: true).problems, [], "problems")
      }
    },
    persistent("evolve.dropped", "Indexes and derived fields may go, and a field may become optional.") { trial in
      try makePages(trial)
      try trial.session([Evolution.Second.recordType]) { _ in }
      try trial.session([Evolution.Third.recordType]) { store in
        try store.write {
          try $0.insert(Evolution.Third(id: .version7(), text: "new", note: nil, stars: 1, level: nil))
        }
        let levels = try store.read { try $0.fetch(Query<Evolution.Third>().sorted(by: \.text)) }.map(\.level)
        try trial.expectEqual(levels, [nil] + Evolution.pages.map(\.level), "levels")
      }
    },
    persistent("evolve.identity", "A migration keeps the store's identity, and happens once.") { trial in
      let before = try makePages(trial)
      for _ in 0..<2 {
        let identity = try trial.session([Evolution.Second.recordType]) { $0.identity }
        try trial.expectEqual(identity, before, "the identity after a migration")
      }
    },
    persistent("evolve.removed", "A field that vanished is refused, naming it, and the store stays as it was.") {
      trial in
      try expectRefused(trial, Evolution.WithoutLevel.recordType, "level")
    },
    persistent("evolve.retyped", "A field that changed its type is refused, naming it.") { trial in
      try expectRefused(trial, Evolution.LevelAsText.recordType, "level")
    },
    persistent("evolve.required", "A new field without a default is refused, naming it.") { trial in
      try expectRefused(trial, Evolution.WithRequired.recordType, "author")
    },
    persistent("evolve.newer", "A store whose schema is newer than the program's is refused.") { trial in
      try makePages(trial)
      try trial.session([Evolution.Second.recordType]) { _ in }
      try trial.expectError(.schemaMismatch, mentioning: "newer", "opening a newer store") {
        _ = try trial.open("store", [Evolution.First.recordType])
      }
      try trial.session([Evolution.Second.recordType]) { store in
        try trial.expectEqual(try store.read { try $0.count(Query<Evolution.Second>()) }, 8, "records afterwards")
      }
    },
    persistent("evolve.oneOfTwo", "One type that is refused keeps the others from being migrated.") { trial in
      let notes = NoteWorld.notes(3)
      try makePages(trial)
      try trial.session([Note.recordType]) { store in
        try store.write { transaction in
          for note in notes { try transaction.insert(note) }
        }
      }
      try trial.expectError(.schemaMismatch, "opening with one type that fits and one that does not") {
        _ = try trial.open("store", [Specimen.recordType, Evolution.WithoutLevel.recordType])
      }
      try trial.session([Evolution.First.recordType, Note.recordType]) { store in
        let counts = try store.read { (try $0.count(Query<Note>()), try $0.count(Query<Evolution.First>())) }
        try trial.expect(counts == (3, 8), "records afterwards: \(counts)")
      }
    },
    shared("evolve.openOlder", "A program that has the store open while a newer one migrates it is told so, each time.")
    {
      trial in
      try makePages(trial)
      let old = try trial.open("store", [Evolution.First.recordType])
      try trial.expectEqual(try old.read { try $0.count(Query<Evolution.First>()) }, 8, "records before")
      let token = try old.read { try $0.token() }
      let new = try trial.open("store", [Evolution.Second.recordType])
      for _ in 0..<2 {
        try expectOutdated(trial, old)
        try new.write {
          try $0.insert(Evolution.Second(id: .version7(), text: "new", note: "n", stars: 5, level: 1))
        }
      }
      try expectOutdated(trial, old)
      let found = try new.read { try $0.fetch(Query<Evolution.Second>().sorted(by: \.text)) }
      try trial.expectEqual(found.map(\.stars), [5, 5] + Evolution.pages.map { _ in 3 }, "the newer program's records")
      try trial.expectEqual(try new.read { try $0.standing(of: token) }, .usable, "the older program's token")
      try trial.expectEqual(try new.inspect(checkingIntegrity: true).problems, [], "problems")
    },
    shared("evolve.openSnapshot", "A snapshot that was begun before a migration shows the records as they were.") {
      trial in
      try makePages(trial)
      let old = try trial.open("store", [Evolution.First.recordType])
      let levels = try old.read { transaction in
        let new = try trial.open("store", [Evolution.Second.recordType])
        try new.write { transaction in try transaction.delete(Query<Evolution.Second> { $0.level == 1 }) }
        return try transaction.fetch(Query<Evolution.First>().sorted(by: \.text)).map(\.level)
      }
      try trial.expectEqual(levels, Evolution.pages.map(\.level), "levels")
      try expectOutdated(trial, old)
    },
    shared("evolve.openLive", "A live query of a program that is outdated says why it shows nothing new.") { trial in
      try makePages(trial)
      let old = try trial.open("store", [Evolution.First.recordType])
      let changed = EventLog<Void>()
      let list = LiveListSubscription(old, Query<Evolution.First>()) { changed.append(()) }
      defer { list.cancel() }
      try trial.expect(changed.wait { !$0.isEmpty }, "the live query shows nothing")
      _ = try list.take()
      _ = try trial.open("store", [Evolution.Second.recordType])
      var reason: StorageError?
      _ = changed.wait { _ in
        if case .unavailable(let error) = list.status { reason = error }
        return reason != nil
      }
      try trial.expectEqual(reason?.code, .schemaMismatch, "the reason")
    },
    shared("evolve.openOther", "Types that a newer program adds do not disturb an older one.") { trial in
      try makePages(trial)
      let old = try trial.open("store", [Evolution.First.recordType])
      let new = try trial.open("store", [Evolution.First.recordType, Note.recordType])
      try new.write { try $0.insert(NoteWorld.note()) }
      try old.write { try $0.insert(Evolution.First(id: .version7(), text: "old", level: 7)) }
      let counts = try [old, new].map { try $0.read { try $0.count(Query<Evolution.First>()) } }
      try trial.expectEqual(counts, [9, 9], "records")
      try trial.expectEqual(try new.inspect(checkingIntegrity: true).problems, [], "problems")
    },
  ]

  /// A check of what only stores promise that several programs can have open.
  private static func shared(
    _ id: String, _ summary: String, _ body: @escaping @Sendable (Trial) throws -> Void
  ) -> ConformanceCheck {
    persistent(id, summary) { trial in
      if trial.subject.capabilities.isShared { try body(trial) }
    }
  }

  /// Whatever a program does with a store that has outgrown it is an error that says so, and does nothing.
  private static func expectOutdated(_ trial: Trial, _ old: Store) throws {
    let page = Evolution.pages[0]
    let attempts: [(String, (Store) throws -> Void)] = [
      ("fetching", { _ = try $0.read { try $0.fetch(Query<Evolution.First>()) } }),
      ("counting", { _ = try $0.read { try $0.count(Query<Evolution.First>()) } }),
      ("looking up", { _ = try $0.read { try $0.record(Evolution.First.self, id: page.id) } }),
      ("reading the history", { _ = try $0.read { try $0.history(after: nil) } }),
      ("inserting", { try $0.write { try $0.insert(Evolution.First(id: .version7(), text: "late", level: 9)) } }),
      ("updating", { try $0.write { _ = try $0.update(Evolution.First(id: page.id, text: "late", level: 9)) } }),
      ("deleting", { try $0.write { _ = try $0.delete(Evolution.First.self, id: page.id) } }),
      ("undoing", { _ = try $0.undo(of: [Evolution.First.recordType]) }),
    ]
    for (what, attempt) in attempts {
      try trial.expectError(.schemaMismatch, mentioning: "version 2", what) { try attempt(old) }
    }
  }

  /// Makes the store of the first version; returns its identity.
  @discardableResult
  private static func makePages(_ trial: Trial) throws -> UUID {
    try trial.session([Evolution.First.recordType]) { store in
      try store.write { transaction in
        for page in Evolution.pages { try transaction.insert(page) }
      }
      return store.identity
    }
  }

  private static func expectRefused(_ trial: Trial, _ type: RecordType, _ field: String) throws {
    try makePages(trial)
    try trial.expectError(.schemaMismatch, mentioning: field, "opening with an unfit schema") {
      _ = try trial.open("store", [type])
    }
    try trial.session([Evolution.First.recordType]) { store in
      let found = try store.read { try $0.fetch(Query<Evolution.First>().sorted(by: \.text)) }
      try trial.expectEqual(found.map(\.level), Evolution.pages.map(\.level), "the records after a refusal")
    }
  }
}

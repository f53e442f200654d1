import FoundationEssentials
import SaverCore

/// What a persistent store keeps. Each handle is gone before the next is made.
extension ConformanceSuite {
  static let reopeningChecks: [ConformanceCheck] = [
    persistent("reopen.records", "What was committed is there when the store is opened again.") { trial in
      let specimens = SpecimenWorld.specimens
      let notes = NoteWorld.notes(30)
      try trial.session { store in
        try store.write { transaction in
          for note in notes { try transaction.insert(note) }
          for specimen in specimens { try transaction.insert(IndexedSpecimen(specimen)) }
        }
      }
      try trial.session { store in
        let (found, indexed) = try store.read { (try $0.fetch(Query<Note>()), try $0.fetch(Query<IndexedSpecimen>())) }
        try trial.expectSame(found, QueryOracle.results(of: Query(), in: notes), "notes")
        let wanted = QueryOracle.results(of: Query(), in: specimens.map(IndexedSpecimen.init))
        try trial.expectSame(indexed, wanted, "specimens")
        try trial.expectAnswer(Query<Note>().sorted(by: \.title), on: store, holding: notes)
      }
    },
    persistent("reopen.changes", "Updates and deletions are there, and what was rolled back is not.") { trial in
      struct Interruption: Error {}
      var notes = NoteWorld.notes(10)
      let first = notes
      try trial.session { store in
        try store.write { transaction in
          for note in first { try transaction.insert(note) }
        }
      }
      notes[0].title = "changed"
      notes[0].tags = ["new"]
      let changed = notes[0]
      let gone = notes.removeLast()
      try trial.session { store in
        try store.write { transaction in
          try transaction.update(changed)
          try transaction.delete(Note.self, id: gone.id)
        }
        _ = try? store.write { transaction -> Void in
          try transaction.delete(Query<Note>())
          throw Interruption()
        }
      }
      try trial.session { store in
        try trial.expectSame(
          try store.read { try $0.fetch(Query<Note>()) }, QueryOracle.results(of: Query(), in: notes), "notes")
        try trial.expectAnswer(Query<Note> { $0.title == "changed" }, on: store, holding: notes)
      }
    },
    persistent("reopen.identity", "A store keeps its identity.") { trial in
      let identities = try (0..<3).map { _ in
        try trial.session { store in
          try store.write { try $0.insert(NoteWorld.note()) }
          return store.identity
        }
      }
      try trial.expect(Set(identities).count == 1, "a store had the identities \(identities)")
    },
    persistent("reopen.empty", "A store into which nothing was written can be opened again.") { trial in
      let identity = try trial.session { $0.identity }
      try trial.session { store in
        try trial.expectEqual(store.identity, identity, "the identity of an empty store")
        try trial.expectEqual(try store.read { try $0.count(Query<Note>()) }, 0, "records")
      }
    },
    persistent("reopen.never", "A store that exists is opened when none may be made, with its extension or without.") {
      trial in
      let path = try trial.session { store in
        try store.write { try $0.insert(NoteWorld.note()) }
        return store.path
      }
      let again = try trial.open("store", [Note.recordType], creation: .never)
      try trial.expectEqual(try again.read { try $0.count(Query<Note>()) }, 1, "records")
      guard let path else { return }
      let byPath = try trial.subject.open(StoreLocation(base: path, creation: .never), [Note.recordType])
      try trial.expectEqual(byPath.identity, again.identity, "the identity of the store by its whole path")
    },
    persistent("reopen.types", "Record types may come later, and those that a program does not know are left alone.") {
      trial in
      let notes = NoteWorld.notes(5)
      try trial.session([Note.recordType]) { store in
        try store.write { transaction in
          for note in notes { try transaction.insert(note) }
        }
      }
      try trial.session([Specimen.recordType]) { store in
        try store.write { try $0.insert(SpecimenWorld.specimens[0]) }
      }
      try trial.session([Specimen.recordType, Note.recordType]) { store in
        let (found, count) = try store.read { (try $0.fetch(Query<Note>()), try $0.count(Query<Specimen>())) }
        try trial.expectSame(found, QueryOracle.results(of: Query(), in: notes), "notes")
        try trial.expectEqual(count, 1, "specimens")
      }
    },
  ]

  /// A check of what only stores that outlive the process promise.
  static func persistent(
    _ id: String, _ summary: String, _ body: @escaping @Sendable (Trial) throws -> Void
  ) -> ConformanceCheck {
    ConformanceCheck(id, summary) { trial in
      if trial.subject.capabilities.isPersistent { try body(trial) }
    }
  }
}

extension Trial {
  /// Opens the check's store for the time of a closure: afterwards no handle of it is left.
  func session<Result>(_ types: [RecordType]? = nil, _ body: (Store) throws -> Result) throws -> Result {
    try body(try types.map { try open("store", $0) } ?? open())
  }
}

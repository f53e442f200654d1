import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let recordChecks: [ConformanceCheck] = [
    ConformanceCheck("record.insert", "An inserted record is found by its id and by a query.") { trial in
      let notes = NoteWorld.notes(3)
      let store = try trial.open(with: notes)
      for note in notes {
        let found = try store.read { try $0.record(Note.self, id: note.id) }
        try trial.expectSame(found.map { [$0] } ?? [], [note], "the record by its id")
      }
      let found = try store.read { try $0.fetch(Query<Note>()) }
      try trial.expectSame(found, QueryOracle.results(of: Query(), in: notes), "all records")
    },
    ConformanceCheck("record.absent", "An id that is not there gives nil and no error.") { trial in
      let store = try trial.open(with: NoteWorld.notes(2))
      let (found, first) = try store.read {
        (try $0.record(Note.self, id: .version7()), try $0.first(Query<Note> { $0.text == "nowhere" }))
      }
      try trial.expect(found == nil, "found a record of an id that was never inserted")
      try trial.expect(first == nil, "found a record that no condition fits")
    },
    ConformanceCheck("record.duplicate", "An id that is taken is refused as duplicateID, and the record stays.") {
      trial in
      let note = NoteWorld.note("the first")
      let store = try trial.open(with: [note])
      var other = note
      other.text = "the second"
      try trial.expectError(.duplicateID, "inserting an id twice") { try store.write { try $0.insert(other) } }
      try trial.expectSame(try store.read { try $0.fetch(Query<Note>()) }, [note], "after a refused insertion")
    },
    ConformanceCheck("record.duplicateWithin", "An id inserted twice within one transaction is refused.") { trial in
      let store = try trial.open()
      let note = NoteWorld.note()
      try trial.expectError(.duplicateID, "inserting an id twice") {
        try store.write {
          try $0.insert(note)
          try $0.insert(note)
        }
      }
      try trial.expectEqual(try store.read { try $0.count(Query<Note>()) }, 0, "records after the rollback")
    },
    ConformanceCheck("record.idsByType", "Two record types may have records of one id.") { trial in
      let note = NoteWorld.note()
      var specimen = SpecimenWorld.specimens[3]
      specimen = SpecimenWorld.with(specimen, id: note.id)
      let store = try trial.open(with: [note])
      try store.write { try $0.insert(specimen) }
      _ = try store.write { try $0.delete(Note.self, id: note.id) }
      try trial.expectSame(try store.read { try $0.fetch(Query<Specimen>()) }, [specimen], "the other type's record")
    },
    ConformanceCheck("record.update", "An update replaces every field, and says that there was a record.") { trial in
      let specimens = SpecimenWorld.specimens
      let store = try trial.open(with: Array(specimens.prefix(3)))
      let changed = SpecimenWorld.with(specimens[20], id: specimens[1].id)
      let existed = try store.write { try $0.update(changed) }
      try trial.expect(existed, "an update said that there was no record")
      let found = try store.read { try $0.fetch(Query<Specimen>()) }
      let wanted = QueryOracle.results(of: Query(), in: [specimens[0], changed, specimens[2]])
      try trial.expectSame(found, wanted, "after an update")
    },
    ConformanceCheck("record.updateAbsent", "An update of an absent record says so and stores nothing.") { trial in
      let store = try trial.open(with: NoteWorld.notes(1))
      let existed = try store.write { try $0.update(NoteWorld.note()) }
      try trial.expect(!existed, "an update of an absent record said that there was one")
      try trial.expectEqual(try store.read { try $0.count(Query<Note>()) }, 1, "records")
    },
    ConformanceCheck("record.updateToNil", "An update can take a value away.") { trial in
      var note = NoteWorld.note("x", title: "a title", tags: ["a", "b"])
      let store = try trial.open(with: [note])
      note.title = nil
      note.tags = []
      try store.write { _ = try $0.update(note) }
      try trial.expectSame(try store.read { try $0.fetch(Query<Note>()) }, [note], "after taking values away")
    },
    ConformanceCheck("record.save", "Saving inserts what is absent and replaces what is there.") { trial in
      var note = NoteWorld.note("the first")
      let store = try trial.open()
      try store.write { try $0.save(note) }
      note.text = "the second"
      note.tags = ["new"]
      try store.write { try $0.save(note) }
      try trial.expectSame(try store.read { try $0.fetch(Query<Note>()) }, [note], "after saving twice")
    },
    ConformanceCheck("record.delete", "A delete takes exactly the named record, and says whether it was there.") {
      trial in
      let notes = NoteWorld.notes(5)
      let store = try trial.open(with: notes)
      let results = try store.write { transaction in
        [notes[2].id, notes[2].id, .version7()].map { id in
          (try? transaction.delete(Note.self, id: id)) ?? true
        }
      }
      try trial.expectEqual(results, [true, false, false], "whether there was a record")
      let left = notes.filter { $0.id != notes[2].id }
      try trial.expectSame(
        try store.read { try $0.fetch(Query<Note>()) }, QueryOracle.results(of: Query(), in: left), "what is left")
      let found = try store.read { try $0.record(Note.self, id: notes[2].id) }
      try trial.expect(found == nil, "a deleted record is found by its id")
    },
    ConformanceCheck("record.insertAgain", "A deleted id can be inserted again, as undo does.") { trial in
      let notes = NoteWorld.notes(2)
      let store = try trial.open(with: notes)
      _ = try store.write { try $0.delete(Note.self, id: notes[0].id) }
      try store.write { try $0.insert(notes[0]) }
      try store.write {
        try $0.delete(Note.self, id: notes[1].id)
        try $0.insert(notes[1])
      }
      try trial.expectSame(
        try store.read { try $0.fetch(Query<Note>()) }, QueryOracle.results(of: Query(), in: notes), "after undo")
    },
    ConformanceCheck("record.emptyStore", "A new store is empty, and can be asked anything.") { trial in
      let store = try trial.open()
      let query = Query<Note> { $0.rank > 3 }.sorted(by: \.createdAt, descending: true).limit(5).offset(2)
      let (found, count) = try store.read { (try $0.fetch(query), try $0.count(query)) }
      try trial.expect(found.isEmpty && count == 0, "a new store holds \(count) records")
      let deleted = try store.write { try $0.delete(query) }
      try trial.expectEqual(deleted, 0, "deleted from an empty store")
    },
  ]
}

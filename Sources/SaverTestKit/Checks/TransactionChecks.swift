import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  /// What a check's own closure throws, to see it come out again.
  private struct Interruption: Error {}

  static let transactionChecks: [ConformanceCheck] = [
    ConformanceCheck("transaction.result", "Both closures hand their values out.") { trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      try trial.expectEqual(try store.read { _ in 7 }, 7, "the value of a read")
      let written = try store.write { transaction -> String? in
        try transaction.insert(NoteWorld.note())
        return nil
      }
      try trial.expectEqual(written, nil, "a value that is nil")
    },
    ConformanceCheck("transaction.empty", "A write that changes nothing changes nothing.") { trial in
      let notes = NoteWorld.notes(3)
      let store = try trial.open(with: notes)
      try store.write { _ in }
      try trial.expectSame(
        try store.read { try $0.fetch(Query<Note>()) }, QueryOracle.results(of: Query(), in: notes), "all records")
    },
    ConformanceCheck(
      "transaction.rollback", "When the closure throws, nothing of it happened, and the error comes out."
    ) {
      trial in
      let notes = NoteWorld.notes(6)
      let store = try trial.open(with: notes)
      do {
        try store.write { transaction in
          try transaction.insert(NoteWorld.note("inserted"))
          var changed = notes[0]
          changed.text = "changed"
          changed.title = "changed"
          try transaction.update(changed)
          try transaction.delete(Note.self, id: notes[1].id)
          try transaction.delete(Query<Note> { $0.isDone == true })
          throw Interruption()
        }
        throw trial.failure("the error did not come out of the transaction", #fileID, #line)
      } catch is Interruption {}
      let wanted = QueryOracle.results(of: Query<Note>(), in: notes)
      try trial.expectSame(try store.read { try $0.fetch(Query<Note>()) }, wanted, "after a rollback")
      let byTitle = Query<Note>().sorted(by: \.title)
      try trial.expectAnswer(byTitle, on: store, holding: notes)
    },
    ConformanceCheck("transaction.afterRollback", "A store that rolled back takes the next transaction.") { trial in
      let store = try trial.open()
      let note = NoteWorld.note()
      _ = try? store.write { transaction -> Void in
        try transaction.insert(note)
        throw Interruption()
      }
      try store.write { try $0.insert(note) }
      try trial.expectSame(try store.read { try $0.fetch(Query<Note>()) }, [note], "after a rollback and an insertion")
    },
    ConformanceCheck("transaction.refusedOperation", "An operation that is refused leaves the transaction as it was.") {
      trial in
      let (first, second) = (NoteWorld.note("first"), NoteWorld.note("second"))
      var invalid = SpecimenWorld.specimens[0]
      invalid.double = .nan
      let refused = IndexedSpecimen(invalid)
      let store = try trial.open(with: [first])
      try store.write { transaction in
        do {
          var other = first
          other.text = "other"
          try transaction.insert(other)
        } catch let error as StorageError where error.code == .duplicateID {}
        do { try transaction.insert(refused) } catch let error as StorageError where error.code == .invalidRecord {}
        try transaction.insert(second)
      }
      let (notes, specimens) = try store.read { (try $0.fetch(Query<Note>()), try $0.count(Query<IndexedSpecimen>())) }
      try trial.expectSame(notes, QueryOracle.results(of: Query(), in: [first, second]), "after refused operations")
      try trial.expectEqual(specimens, 0, "records that were refused")
    },
    ConformanceCheck("transaction.ownWrites", "A transaction sees its own changes, in every way of asking.") { trial in
      let notes = NoteWorld.notes(4)
      let store = try trial.open(with: Array(notes.prefix(3)))
      try store.write { transaction in
        try transaction.insert(notes[3])
        var changed = notes[0]
        changed.title = "zzz"
        changed.rank = 99
        try transaction.update(changed)
        try transaction.delete(Note.self, id: notes[1].id)
        let now = [changed, notes[2], notes[3]]
        try trial.expectSame(
          try transaction.fetch(Query<Note>()), QueryOracle.results(of: Query(), in: now), "inside the transaction")
        try trial.expectEqual(try transaction.count(Query<Note>()), 3, "the count inside")
        let found = try transaction.record(Note.self, id: notes[0].id)
        try trial.expectSame(found.map { [$0] } ?? [], [changed], "an updated record inside")
        let gone = try transaction.record(Note.self, id: notes[1].id)
        try trial.expect(gone == nil, "a deleted record is found inside")
        let byIndex = Query<Note> { $0.title == "zzz" }
        try trial.expectSame(try transaction.fetch(byIndex), [changed], "by an index, inside")
        let last = Query<Note>().sorted(by: \.title, descending: true).limit(1)
        try trial.expectSame(try transaction.fetch(last), [changed], "by an index, in order, inside")
      }
    },
    ConformanceCheck("transaction.large", "A transaction of several hundred changes is there as a whole.") { trial in
      let notes = NoteWorld.notes(300)
      let store = try trial.open(with: notes)
      try store.write { transaction in
        for note in notes.prefix(100) { try transaction.delete(Note.self, id: note.id) }
        for var note in notes.suffix(100) {
          note.text = "changed"
          try transaction.update(note)
        }
      }
      let wanted =
        notes[100..<200]
        + notes[200...].map { note in
          var note = note
          note.text = "changed"
          return note
        }
      try trial.expectSame(
        try store.read { try $0.fetch(Query<Note>()) }, QueryOracle.results(of: Query(), in: Array(wanted)),
        "after a transaction of 200 changes")
    },
    ConformanceCheck("transaction.twoTypes", "One transaction spans record types, and is rolled back in all of them.") {
      trial in
      let note = NoteWorld.note()
      let specimen = SpecimenWorld.specimens[0]
      let store = try trial.open()
      _ = try? store.write { transaction -> Void in
        try transaction.insert(note)
        try transaction.insert(specimen)
        throw Interruption()
      }
      let none = try store.read { (try $0.count(Query<Note>()), try $0.count(Query<Specimen>())) }
      try trial.expect(none == (0, 0), "after a rollback: \(none)")
      try store.write { transaction in
        try transaction.insert(note)
        try transaction.insert(specimen)
      }
      let both = try store.read { (try $0.count(Query<Note>()), try $0.count(Query<Specimen>())) }
      try trial.expect(both == (1, 1), "after a commit: \(both)")
    },
  ]
}

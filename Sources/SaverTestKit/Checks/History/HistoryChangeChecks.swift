import FoundationEssentials
import SaverCore

/// Which changes a history tells of.
extension ConformanceSuite {
  private struct Interruption: Error {}

  static let historyChangeChecks: [ConformanceCheck] = [
    ConformanceCheck("history.insert", "An insertion is one entry, without an old row.") { trial in
      let store = try trial.open()
      let note = NoteWorld.note()
      try trial.expectLogged([.insert(note)], in: store, by: "an insertion") { try $0.insert(note) }
      let logged = try store.read { try $0.logged() }
      try trial.expect(logged.allSatisfy { $0.row == nil }, "an insertion has an old row")
    },
    ConformanceCheck("history.update", "An update is one entry, with the row as it was.") { trial in
      let note = NoteWorld.note("before", rank: 3, title: "t", tags: ["a", "b"])
      let store = try trial.open(with: [note])
      var changed = note
      changed.text = "after"
      changed.title = nil
      changed.tags = []
      try trial.expectLogged([.update(note)], in: store, by: "an update") { try $0.update(changed) }
      try trial.expectRow(try store.read { try $0.logged()[1] }, note, "an update")
    },
    ConformanceCheck("history.delete", "A deletion is one entry, with the row as it was.") { trial in
      let note = NoteWorld.note("before", rank: 3, title: "t", tags: ["a", "b"])
      let store = try trial.open(with: [note])
      try trial.expectLogged([.delete(note)], in: store, by: "a deletion") { try $0.delete(Note.self, id: note.id) }
      try trial.expectRow(try store.read { try $0.logged()[1] }, note, "a deletion")
    },
    ConformanceCheck("history.save", "Saving is an insertion or an update.") { trial in
      let note = NoteWorld.note("first")
      let store = try trial.open()
      try trial.expectLogged([.insert(note)], in: store, by: "the first saving") { try $0.save(note) }
      var changed = note
      changed.text = "second"
      try trial.expectLogged([.update(note)], in: store, by: "the second saving") { try $0.save(changed) }
      try trial.expectRow(try store.read { try $0.logged()[1] }, note, "the second saving")
    },
    ConformanceCheck("history.bulk", "A transaction of many changes has an entry for each, in their order.") { trial in
      let notes = NoteWorld.notes(300)
      let store = try trial.open()
      try trial.expectLogged(notes.map { .insert($0) }, in: store, by: "300 insertions") { transaction in
        for note in notes { try transaction.insert(note) }
      }
      let gone = notes.suffix(200)
      try trial.expectLogged(gone.map { .delete($0) }, in: store, by: "200 deletions") { transaction in
        for note in gone { try transaction.delete(Note.self, id: note.id) }
      }
      let deletions = try store.read { try $0.logged() }.suffix(200)
      for (logged, note) in zip(deletions, gone) { try trial.expectRow(logged, note, "one of 200 deletions") }
    },
    ConformanceCheck("history.deleteByQuery", "A deletion by a query has an entry for each record that went.") {
      trial in
      let notes = NoteWorld.notes(30)
      let store = try trial.open(with: notes)
      let query = Query<Note> { $0.isDone == true && $0.text.contains("ork") }
      let gone = QueryOracle.results(of: query, in: notes)
      let before = try store.read { try $0.token() }
      try store.write { try $0.delete(query) }
      let logged = try store.read { try $0.logged(after: before.sequence) }
      try trial.expectEqual(
        Set(logged.map(\.event)), Set(gone.map { LoggedChange.Event.delete($0) }), "the history of a delete")
      try trial.expectEqual(logged.count, gone.count, "entries")
      for entry in logged {
        guard let note = gone.first(where: { $0.id == entry.change.id }) else { continue }
        try trial.expectRow(entry, note, "a deletion by query")
      }
    },
    ConformanceCheck("history.again", "Each change of one row has its entry, with the row between them.") { trial in
      let store = try trial.open()
      let first = NoteWorld.note("first")
      var second = first
      second.text = "second"
      var third = second
      third.rank = 3
      try trial.expectLogged(
        [.insert(first), .update(first), .update(first), .delete(first), .insert(first)], in: store,
        by: "five changes of one row"
      ) { transaction in
        try transaction.insert(first)
        try transaction.update(second)
        try transaction.update(third)
        try transaction.delete(Note.self, id: first.id)
        try transaction.insert(first)
      }
      let logged = try store.read { try $0.logged() }
      for (entry, wanted) in zip(logged[1...3], [first, second, third]) {
        try trial.expectRow(entry, wanted, "the row before entry \(entry.change.sequence)")
      }
    },
    ConformanceCheck("history.types", "The entries of several record types are told apart, and in one order.") {
      trial in
      let store = try trial.open()
      let (note, specimen) = (NoteWorld.note(), SpecimenWorld.specimens[0])
      // The same id in two tables, so that only the type tells them apart.
      let other = SpecimenWorld.with(specimen, id: note.id)
      try trial.expectLogged(
        [.insert(note), .insert(other), .insert(specimen), .delete(note), .delete(other)], in: store, by: "two types"
      ) { transaction in
        try transaction.insert(note)
        try transaction.insert(other)
        try transaction.insert(specimen)
        try transaction.delete(Note.self, id: note.id)
        try transaction.delete(Specimen.self, id: other.id)
      }
      let logged = try store.read { try $0.logged() }
      try trial.expectRow(logged[3], note, "a note that was deleted")
      try trial.expectRow(logged[4], other, "a specimen that was deleted")
    },
    ConformanceCheck("history.everyType", "Old rows are exact in every bit, for every type and value of the pools.") {
      trial in
      let specimens = SpecimenWorld.specimens
      let store = try trial.open(with: specimens)
      try store.write { transaction in
        for specimen in specimens { try transaction.insert(IndexedSpecimen(specimen)) }
      }
      let before = try store.read { try $0.token() }
      // All other values, as far as there are two of a type.
      let others = zip(specimens, specimens.reversed()).map { SpecimenWorld.with($1, id: $0.id) }
      try store.write { transaction in
        for other in others { try transaction.update(other) }
        for specimen in specimens { try transaction.delete(IndexedSpecimen.self, id: specimen.id) }
      }
      let logged = try store.read { try $0.logged(after: before.sequence) }
      try trial.expectEqual(logged.count, 2 * specimens.count, "entries")
      for (entry, specimen) in zip(logged, specimens) { try trial.expectRow(entry, specimen, "an update") }
      for (entry, specimen) in zip(logged.dropFirst(specimens.count), specimens) {
        try trial.expectRow(entry, IndexedSpecimen(specimen), "a deletion")
      }
    },
    ConformanceCheck("history.large", "The old row of a large text is whole.") { trial in
      let note = NoteWorld.note(String(repeating: "0123456789abcde\n", count: 60_000), title: "large")
      let store = try trial.open(with: [note])
      try store.write { try $0.delete(Note.self, id: note.id) }
      try trial.expectRow(try store.read { try $0.logged()[1] }, note, "the deletion of a large text")
    },
    ConformanceCheck("history.rolledBack", "What was rolled back has no entry, and the token stays.") { trial in
      let notes = NoteWorld.notes(4)
      let store = try trial.open(with: notes)
      let before = try store.read { (try $0.token(), try $0.logged().count) }
      for _ in 0..<3 {
        _ = try? store.write { transaction -> Void in
          try transaction.insert(NoteWorld.note())
          try transaction.update(notes[0])
          try transaction.delete(Query<Note>())
          throw Interruption()
        }
      }
      let after = try store.read { (try $0.token(), try $0.logged().count) }
      try trial.expect(before == after, "after a rollback: \(after), before it: \(before)")
      try trial.expectLogged([.delete(notes[0])], in: store, by: "the next change") {
        try $0.delete(Note.self, id: notes[0].id)
      }
      try trial.expectEqual(try store.read { try $0.transactions().count }, 2, "transactions")
    },
    ConformanceCheck("history.refused", "What is refused, or finds nothing, has no entry.") { trial in
      let (first, absent) = (NoteWorld.note("first"), NoteWorld.note("absent"))
      var invalid = SpecimenWorld.specimens[0]
      invalid.double = .nan
      let refused = invalid
      let store = try trial.open(with: [first])
      try trial.expectLogged([], in: store, by: "refused operations") { transaction in
        do { try transaction.insert(first) } catch let error as StorageError where error.code == .duplicateID {}
        do { try transaction.insert(refused) } catch let error as StorageError where error.code == .invalidRecord {}
        try transaction.update(absent)
        try transaction.delete(Note.self, id: absent.id)
        try transaction.delete(Query<Note> { $0.rank > 1_000 })
      }
      try trial.expectLogged([.delete(first)], in: store, by: "a deletion beside them") { transaction in
        do { try transaction.insert(first) } catch let error as StorageError where error.code == .duplicateID {}
        try transaction.delete(Note.self, id: absent.id)
        try transaction.delete(Note.self, id: first.id)
      }
    },
    ConformanceCheck("history.empty", "A write that changes nothing leaves no entry and no transaction.") { trial in
      let store = try trial.open()
      try trial.expectLogged([], in: store, by: "an empty write to an empty store") { _ in }
      try store.write { try $0.insert(NoteWorld.note()) }
      for _ in 0..<3 { try trial.expectLogged([], in: store, by: "an empty write") { _ in } }
      try trial.expectEqual(try store.read { try $0.transactions().count }, 1, "transactions")
    },
  ]
}

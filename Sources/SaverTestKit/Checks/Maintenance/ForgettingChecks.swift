import FoundationEssentials
import SaverCore

/// Records of which no trace is left, and space that is given back.
extension ConformanceSuite {
  static let forgettingChecks: [ConformanceCheck] = [
    ConformanceCheck("forget.record", "A forgotten record is gone, from rows, indexes and the history's old rows.") {
      trial in
      let (store, notes, _) = try lived(trial)
      let report = try store.forget(Note.self, ids: [notes[0].id])
      try trial.expectEqual(report.forgotten, [notes[0].id], "what was forgotten")
      try trial.expectEqual(report.remainder, nil, "what is left")
      let left = Array(notes.dropFirst())
      try trial.expectAnswer(Query<Note>(), on: store, holding: left)
      try trial.expectAnswer(Query<Note>().sorted(by: \.title), on: store, holding: left)
      let logged = try store.read { try $0.logged() }
      for entry in logged where entry.change.id == notes[0].id {
        try trial.expect(entry.row == nil, "the history still has an old row of \(entry.event)")
      }
      // Whose old rows were not to be forgotten has them.
      let other = logged.filter { $0.change.id == notes[1].id && $0.change.kind == .update }
      try trial.expectEqual(other.count, 1, "entries of another record")
      try trial.expect(other[0].row != nil, "the history has lost the old row of another record")
      try trial.expectEqual(try store.inspect(checkingIntegrity: true).problems, [], "problems")
    },
    ConformanceCheck("forget.entries", "The entries of the history stay, so that tokens stay good, and one says so.") {
      trial in
      let (store, notes, tokens) = try lived(trial)
      let before = try store.read { try $0.logged().map(\.change) }
      try store.forget(Note.self, ids: [notes[0].id, notes[2].id])
      let after = try store.read { try $0.logged().map(\.change) }
      try trial.expectEqual(Array(after.prefix(before.count)), before, "the entries from before")
      let added = after.dropFirst(before.count)
      try trial.expectEqual(added.map(\.kind), [.delete, .delete], "what forgetting has added")
      try trial.expectEqual(added.map(\.id), [notes[0].id, notes[2].id], "what forgetting has added")
      for token in tokens {
        try trial.expectEqual(try store.read { try $0.standing(of: token) }, .usable, "the standing of \(token)")
      }
      let names = try store.read { try $0.transactions() }.compactMap { $0.operation?.name }
      try trial.expectEqual(names.last, WriteOperation.forgetName, "the operation")
    },
    ConformanceCheck("forget.deleted", "What was deleted before, and is in the history alone, can be forgotten.") {
      trial in
      let (store, notes, _) = try lived(trial)
      try store.write { try $0.delete(Note.self, id: notes[0].id) }
      try trial.expectEqual(
        try store.forget(Note.self, ids: [notes[0].id]).forgotten, [notes[0].id], "what was forgotten")
      let logged = try store.read { try $0.logged() }.filter { $0.change.id == notes[0].id }
      try trial.expectEqual(logged.map(\.change.kind), [.insert, .update, .delete, .delete], "the entries")
      try trial.expect(logged.allSatisfy { $0.row == nil }, "the history still has an old row")
    },
    ConformanceCheck("forget.unknown", "What the store never had is not forgotten, and nothing is written for it.") {
      trial in
      let (store, notes, _) = try lived(trial)
      let token = try store.read { try $0.token() }
      let report = try store.forget(Note.self, ids: [UUID.version7()])
      try trial.expectEqual(report.forgotten, [], "what was forgotten")
      // An id of another type is another id.
      try trial.expectEqual(try store.forget(Specimen.self, ids: [notes[0].id]).forgotten, [], "another type's id")
      try trial.expectEqual(try store.read { try $0.token() }, token, "the token")
      try trial.expectAnswer(Query<Note>(), on: store, holding: notes)
    },
    ConformanceCheck("forget.undo", "Nothing brings a forgotten record back, and older acts can be undone still.") {
      trial in
      let store = try trial.open(Trial.freshName())
      let notes = NoteWorld.notes(3)
      try store.write(WriteOperation("share")) { try $0.insert(notes[0]) }
      try store.write(WriteOperation("share")) { try $0.insert(notes[1]) }
      var changed = notes[1]
      changed.text = "changed"
      let edited = changed
      try store.write(WriteOperation("edit")) { try $0.update(edited) }
      try store.write(WriteOperation("delete")) { try $0.delete(Note.self, id: notes[1].id) }
      _ = try store.undo(of: Trial.world)
      try store.forget(Note.self, ids: [notes[1].id])
      // All that was done to it alone is passed over, the undo included.
      let next = try store.undoableOperations(of: Trial.world)
      try trial.expectEqual(next.map(\.rows.count), [1], "what can be undone")
      try trial.expectEqual(next.first?.inserted.map(\.id), [notes[0].id], "what is undone next")
      try trial.expectEqual(try store.redo(of: Trial.world), .nothing, "a redo")
      guard case .done = try store.undo(of: Trial.world) else {
        throw trial.failure("the act before cannot be undone", #fileID, #line)
      }
      try trial.expectAnswer(Query<Note>(), on: store, holding: [] as [Note])
    },
    ConformanceCheck("forget.undoShared", "An act on a forgotten record and on others is refused where it needs it.") {
      trial in
      let store = try trial.open(Trial.freshName())
      let notes = NoteWorld.notes(4)
      try store.write(WriteOperation("import")) { for note in notes { try $0.insert(note) } }
      try store.write(WriteOperation("delete")) { try $0.delete(Query<Note>()) }
      try store.forget(Note.self, ids: [notes[0].id])
      guard case .refused(let operation) = try store.undo(of: Trial.world) else {
        throw trial.failure("a deletion of a forgotten record was undone", #fileID, #line)
      }
      let row = UndoableOperation.Row(type: Note.recordType.name, id: notes[0].id)
      try trial.expectEqual(operation.conflicts, [.forgotten(row)], "the conflicts")
      // What brought it needs nothing of it.
      let other = NoteWorld.notes(3, seed: 4)
      try store.write(WriteOperation("import")) { for note in other { try $0.insert(note) } }
      try store.forget(Note.self, ids: [other[1].id])
      guard case .done(let undone, _) = try store.undo(of: Trial.world) else {
        throw trial.failure("an import of a forgotten record cannot be undone", #fileID, #line)
      }
      try trial.expectEqual(undone.inserted.map(\.id), [other[0].id, other[2].id], "what was taken back")
      try trial.expectAnswer(Query<Note>(), on: store, holding: [] as [Note])
    },
    ConformanceCheck("forget.live", "Live queries see a forgotten record go, as a change.") { trial in
      let (store, notes, _) = try lived(trial)
      let probes = [trial.probe(store, Query<Note>()), trial.probe(store, Query<Note>().sorted(by: \.rank).limit(3))]
      for probe in probes { try probe.settle() }
      try store.forget(Note.self, ids: [notes[0].id])
      try probes[0].wait("the record's going") { list in !list.contains { $0.id == notes[0].id } }
      for probe in probes { try probe.settle() }
      for probe in probes {
        for update in probe.updates.dropFirst() where update.kind != .change {
          throw trial.failure("forgetting was published as \(update.kind)", #fileID, #line)
        }
      }
    },
    persistent("forget.bytes", "No byte of a forgotten text is left in the files of the store.") { trial in
      let store = try trial.open()
      let words = (0..<6).map { "canary\($0)-" + UUID.version7().hexadecimal }
      var note = NoteWorld.note(words[0], title: words[1], tags: [words[2]])
      var large = NoteWorld.note(words[3] + String(repeating: " large", count: 4_000) + words[4])
      let others = NoteWorld.notes(300)
      let first = (note, large)
      try store.write { transaction in
        for other in others.prefix(150) { try transaction.insert(other) }
        try transaction.insert(first.0)
        try transaction.insert(first.1)
        for other in others.dropFirst(150) { try transaction.insert(other) }
      }
      note.text = words[5]
      large.text = "small"
      let second = (note, large)
      try store.write { transaction in
        try transaction.update(second.0)
        try transaction.update(second.1)
      }
      // Deleted and put back, deleted pages and rows around it.
      try store.write { try $0.delete(Note.self, id: first.0.id) }
      _ = try store.undo(of: Trial.world)
      try store.write { try $0.delete(Query<Note> { $0.rank == 1 }) }
      try trial.expect(!trial.traces(of: words).isEmpty, "the search finds nothing before, and so proves nothing")
      let report = try store.forget(Note.self, ids: [note.id, large.id])
      try trial.expectEqual(report.remainder, nil, "what is left")
      try trial.expectEqual(trial.traces(of: words), [], "files with traces")
      try trial.expectEqual(try store.inspect(checkingIntegrity: true).problems, [], "problems")
    },
    persistent("compact.space", "Compacting gives back what deleted records took, and changes nothing else.") { trial in
      let store = try trial.open()
      let other = try trial.open()
      let notes = NoteWorld.notes(60)
      let text = String(repeating: "a long text ", count: 2_000)
      try store.write { transaction in
        for note in notes { try transaction.insert(note) }
        for _ in 0..<60 { try transaction.insert(NoteWorld.note(text)) }
      }
      try store.write { try $0.delete(Query<Note> { $0.text == text }) }
      // Out of the history, too.
      let ids = try store.read { try $0.logged() }.map(\.change.id)
      try store.forget(Note.self, ids: Array(Set(ids).subtracting(notes.map(\.id))))
      let (token, logged) = try store.read { (try $0.token(), try $0.logged().map(\.change)) }
      let report = try store.compact()
      try trial.expectEqual(report.remainder, nil, "what is left")
      try trial.expect(report.bytesAfter <= report.bytesBefore, "the store has grown: \(report)")
      try trial.expect(report.bytesAfter < 400_000, "the store has \(report.bytesAfter) bytes")
      for handle in [store, other, try trial.open()] {
        try trial.expectAnswer(Query<Note>().sorted(by: \.title), on: handle, holding: notes)
        let head = try handle.read { try $0.engine.historyHead() }
        try trial.expectEqual(head.token, token, "the token")
        try trial.expect(!head.hasUnknownChanges, "changes that the history does not tell of")
        try trial.expectEqual(try handle.read { try $0.logged().map(\.change) }, logged, "the history")
        try trial.expectEqual(try handle.inspect(checkingIntegrity: true).problems, [], "problems")
      }
      let left = TemporaryFolder.contents(of: trial.folder).filter { $0.hasPrefix(".") }
      try trial.expectEqual(left, [], "what is left of compacting")
    },
    persistent("compact.live", "Compacted while others read, write and watch: nothing is lost, nothing is published.") {
      trial in
      let notes = NoteWorld.notes(30)
      let store = try trial.open()
      let other = try trial.open()
      try store.write { transaction in for note in notes { try transaction.insert(note) } }
      let probes = [trial.probe(store, Query<Note>()), trial.probe(other, Query<Note>().sorted(by: \.rank))]
      for probe in probes { try probe.settle() }
      try store.compact()
      // A mark behind it: whatever compacting has published came before.
      try other.write { try $0.insert(NoteWorld.note("a mark")) }
      for probe in probes {
        try probe.wait("a mark") { $0.contains { $0.text == "a mark" } }
        try probe.settle()
        try trial.expectEqual(probe.updateCount, 2, "publications: the first, and the mark")
      }
      try Threads.run(3) { index in
        for count in 0..<12 {
          if index == 2 {
            try store.compact()
          } else {
            try (index == 0 ? store : other).write { try $0.insert(NoteWorld.note("\(index) \(count)")) }
          }
        }
      }
      for handle in [store, other, try trial.open()] {
        try trial.expectEqual(try handle.read { try $0.count(Query<Note>()) }, 55, "records")
        try trial.expectEqual(try handle.inspect(checkingIntegrity: true).problems, [], "problems")
      }
      for probe in probes { try probe.settle() }
    },
  ]

  /// A store in which the first two notes were changed and are in the history, and the tokens of its commits.
  private static func lived(_ trial: Trial) throws -> (Store, [Note], [HistoryToken]) {
    let store = try trial.open(Trial.freshName())
    var notes = NoteWorld.notes(8)
    var tokens: [HistoryToken] = []
    for note in notes {
      try store.write(WriteOperation("share")) { try $0.insert(note) }
      tokens.append(try store.read { try $0.token() })
    }
    for index in 0..<2 {
      notes[index].text = "changed \(index)"
      let changed = notes[index]
      try store.write(WriteOperation("edit")) { try $0.update(changed) }
      tokens.append(try store.read { try $0.token() })
    }
    return (store, notes, tokens)
  }
}

extension Trial {
  /// The files of the folder in which any of these texts stands.
  fileprivate func traces(of words: [String]) -> [String] {
    TemporaryFolder.contents(of: folder).filter { name in
      guard let data = try? Data(contentsOf: URL(filePath: folder + "/" + name)) else { return false }
      return words.contains { data.firstRange(of: Data($0.utf8)) != nil }
    }
  }
}

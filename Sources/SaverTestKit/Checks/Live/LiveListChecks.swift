import FoundationEssentials
import SaverCore

/// What a live query publishes, change by change.
extension ConformanceSuite {
  static let liveListChecks: [ConformanceCheck] = [
    ConformanceCheck("live.initial", "The first publication is the whole result, all of it inserted.") { trial in
      for notes in [[], NoteWorld.notes(300)] {
        let store = try trial.open(with: notes)
        let probe = trial.probe(store, Query<Note> { $0.rank > 0 }.sorted(by: \.createdAt))
        try probe.settle()
        try trial.expectEqual(probe.updates.count, 1, "publications")
        try trial.expectEqual(probe.updates[0].kind, .initial, "the kind")
        try trial.expectEqual(probe.updates[0].token, try store.read { try $0.token() }, "the token")
        let difference = probe.updates[0].difference
        try trial.expectEqual(difference.inserted.map(\.index), Array(probe.list.indices), "what is inserted")
        try trial.expectEqual(difference.count, probe.list.count, "what differs")
      }
    },
    ConformanceCheck("live.changes", "An insertion, an update, a move and a deletion are published as what they are.") {
      trial in
      let notes = (0..<6).map { NoteWorld.note("number \($0)", rank: $0 * 10) }
      let store = try trial.open(with: notes)
      let probe = trial.probe(store, Query<Note>().sorted(by: \.rank))
      try probe.settle()
      try expectUpdate(trial, probe, Shape(inserted: [3]), "an insertion in the middle") {
        try $0.insert(NoteWorld.note("between", rank: 25))
      }
      try expectUpdate(trial, probe, Shape(updated: [1]), "an update") { transaction in
        var note = notes[1]
        note.text = "changed"
        try transaction.update(note)
      }
      try expectUpdate(trial, probe, Shape(updated: [6], moved: [[0, 6]]), "a move") { transaction in
        var note = notes[0]
        note.rank = 99
        try transaction.update(note)
      }
      try expectUpdate(trial, probe, Shape(deleted: [2]), "a deletion") {
        _ = try $0.delete(Note.self, id: probe.list[2].id)
      }
      try expectUpdate(trial, probe, Shape(deleted: [0, 5], inserted: [2], updated: [1]), "several") { transaction in
        try transaction.delete(Note.self, id: probe.list[0].id)
        try transaction.delete(Note.self, id: probe.list[5].id)
        var note = probe.list[2]
        note.title = "t"
        try transaction.update(note)
        try transaction.insert(NoteWorld.note("again", rank: 35))
      }
    },
    ConformanceCheck("live.membership", "A record that comes to fulfil the condition is inserted, and the reverse.") {
      trial in
      let notes = (0..<4).map { NoteWorld.note("number \($0)", rank: $0) }
      let store = try trial.open(with: notes)
      let probe = trial.probe(store, Query<Note> { $0.rank >= 2 && $0.text.contains("number") }.sorted(by: \.rank))
      try probe.settle()
      var note = notes[0]
      note.rank = 3
      let entering = note
      try expectUpdate(trial, probe, Shape(inserted: [notes[0].id < notes[3].id ? 1 : 2]), "one that enters") {
        try $0.update(entering)
      }
      note.text = "no more"
      let leaving = note
      let place = probe.list.firstIndex { $0.id == note.id } ?? -1
      try expectUpdate(trial, probe, Shape(deleted: [place]), "one that leaves") { try $0.update(leaving) }
    },
    ConformanceCheck("live.others", "What does not change the result is not published.") { trial in
      let notes = NoteWorld.notes(20)
      let store = try trial.open(with: notes)
      let probe = trial.probe(store, Query<Note> { $0.text.contains("n") }.sorted(by: \.rank).limit(3))
      let marked = trial.probe(store, Query<Note> { $0.text == "marked" })
      try probe.settle()
      try marked.settle()
      for specimen in SpecimenWorld.specimens.prefix(4) { try store.write { try $0.insert(specimen) } }
      try store.write { try $0.insert(NoteWorld.note("other")) }
      try store.write { transaction in
        let note = NoteWorld.note("in and out", rank: -5)
        try transaction.insert(note)
        try transaction.delete(Note.self, id: note.id)
      }
      try store.write { try $0.update(probe.list[1]) }
      // A change that one of them shows ends the waiting for nothing: the turns are the same for both.
      try store.write { try $0.insert(NoteWorld.note("marked")) }
      try marked.settle()
      try probe.settle()
      try trial.expectEqual(probe.updates.count, 1, "publications")
      try trial.expectEqual(probe.ringCount, 1, "calls")
    },
    ConformanceCheck(
      "live.window", "A window holds its limit: it is pushed out of, filled again, and says what is behind."
    ) { trial in
      let notes = (0..<30).map { NoteWorld.note("number \($0)", rank: $0 * 10) }
      let store = try trial.open(with: notes)
      let probe = trial.probe(store, Query<Note>().sorted(by: \.rank).limit(5))
      try probe.settle()
      try trial.expect(probe.updates[0].hasMore, "nothing is behind a window of 5 of 30")
      try expectUpdate(trial, probe, Shape(deleted: [4], inserted: [2]), "one that pushes the last out") {
        try $0.insert(NoteWorld.note("between", rank: 15))
      }
      try expectUpdate(trial, probe, Shape(deleted: [1], inserted: [4]), "a deletion that is filled up") {
        _ = try $0.delete(Note.self, id: notes[1].id)
      }
      // Longer than whatever may have been fetched in advance.
      for _ in 0..<4 {
        let gone = Set(probe.list.prefix(4).map(\.id))
        try expectUpdate(trial, probe, Shape(deleted: [0, 1, 2, 3], inserted: [1, 2, 3, 4]), "deletions at the top") {
          for id in gone { try $0.delete(Note.self, id: id) }
        }
      }
      var note = probe.list[0]
      note.rank = 10_000
      let last = note
      try expectUpdate(trial, probe, Shape(deleted: [0], inserted: [4]), "the first becomes the last") {
        try $0.update(last)
      }
      try store.write { try $0.delete(Query<Note>().sorted(by: \.rank).offset(2)) }
      try probe.settle()
      try trial.expectEqual(probe.list.count, 2, "what is left")
      try trial.expectEqual(probe.updates.last?.hasMore, false, "more behind what is left")
      try store.write { transaction in
        for note in notes { try transaction.save(note) }
      }
      try probe.settle()
      try trial.expectEqual(probe.updates.last?.hasMore, true, "more behind a window that is full again")
    },
    ConformanceCheck("live.loadMore", "A window grows when asked to, as far as there is something.") { trial in
      let notes = NoteWorld.notes(40)
      let store = try trial.open(with: notes)
      let query = Query<Note>().sorted(by: \.createdAt, descending: true)
      let probe = trial.probe(store, query.limit(10))
      try probe.settle()
      for wanted in [17, 24, 31, 38] {
        probe.loadMore(by: 7)
        try probe.wait("more") { $0.count == wanted }
        try probe.settle()
        try trial.expectEqual(probe.updates.last?.hasMore, true, "more behind \(wanted)")
      }
      try store.write { try $0.delete(Note.self, id: probe.list[20].id) }
      try probe.settle()
      probe.loadMore(by: 7)
      try probe.wait("all") { $0.count == 39 }
      try trial.expectEqual(probe.updates.last?.hasMore, false, "more behind all")
      try store.write { transaction in
        for note in NoteWorld.notes(20, seed: 99) { try transaction.insert(note) }
      }
      try probe.settle()
      try trial.expectEqual(probe.list.count, 45, "the window after more came")
    },
    ConformanceCheck("live.page", "A live page begins behind its place, and with its offset.") { trial in
      var notes = NoteWorld.notes(60)
      let store = try trial.open(with: notes)
      let sorted = Query<Note>().sorted(by: \.rank).sorted(by: \.createdAt, descending: true)
      let place = QueryOracle.results(of: sorted, in: notes)[20]
      let probes = [
        sorted.after(place), sorted.after(place).limit(10), sorted.offset(10), sorted.offset(10).limit(10),
        sorted.after(place).offset(3).limit(5), sorted.limit(0), sorted.offset(1_000),
      ].map { trial.probe(store, $0) }
      var random = RandomGenerator(seed: 3)
      for count in 0..<40 {
        try store.write { transaction in
          switch count % 4 {
          case 0:
            let note = NoteWorld.notes(1, seed: UInt64(1_000 + count))[0]
            notes.append(note)
            try transaction.insert(note)
          case 1: try transaction.delete(Note.self, id: notes.remove(at: random.below(notes.count)).id)
          default:
            let index = random.below(notes.count)
            notes[index].rank = random.below(5)
            try transaction.update(notes[index])
          }
        }
        if count % 5 == 0 { for probe in probes { try probe.settle() } }
      }
      for probe in probes {
        try probe.settle()
        try trial.expectSame(probe.list, QueryOracle.results(of: probe.query, in: notes), "\(probe.query)")
      }
    },
    ConformanceCheck("live.bulk", "Changes too many to follow are published all the same, as what they are.") { trial in
      let notes = NoteWorld.notes(2_500)
      let store = try trial.open(with: notes)
      let all = trial.probe(store, Query<Note>().sorted(by: \.createdAt))
      let some = trial.probe(store, Query<Note> { $0.rank == 1 }.sorted(by: \.text).limit(50))
      for probe in [all, some] { try probe.settle() }
      try store.write { transaction in
        for note in notes.prefix(1_200) { try transaction.delete(Note.self, id: note.id) }
        for var note in notes.suffix(1_000) {
          note.isDone.toggle()
          try transaction.update(note)
        }
      }
      for probe in [all, some] { try probe.settle() }
      try trial.expectEqual(all.updates.count, 2, "publications")
      try trial.expectEqual(all.updates.last?.difference.deleted.count, 1_200, "what was deleted")
      try trial.expectEqual(all.updates.last?.difference.updated.count, 1_000, "what was updated")
      try trial.expectEqual(all.updates.last?.difference.count, 2_200, "what differs")
    },
    ConformanceCheck("live.trimmed", "A live query whose place in the history was trimmed shows what there is.") {
      trial in
      let store = try trial.open(keeping: HistoryRetention(changesMax: 0, bytesMax: 0))
      let probe = trial.probe(store, Query<Note>().sorted(by: \.rank).limit(20))
      try probe.settle()
      for count in 0..<400 {
        try store.write { transaction in
          for note in NoteWorld.notes(2, seed: UInt64(count)) { try transaction.insert(note) }
          if count % 3 == 0 { try transaction.delete(Query<Note>().sorted(by: \.rank).limit(3)) }
        }
      }
      try probe.settle()
      try trial.expect(probe.updates.allSatisfy { $0.kind != .reset(.otherBranch) }, "trimming was taken for a reset")
    },
    ConformanceCheck("live.count", "A live count follows, and is published when it is another.") { trial in
      let notes = NoteWorld.notes(30)
      let store = try trial.open(with: notes)
      let query = Query<Note> { !$0.isDone && $0.rank >= 2 }
      let rings = EventLog<Void>()
      let subscription = LiveCountSubscription(store, query) { rings.append(()) }
      var counts: [Int] = []
      func settle() throws {
        let wanted = try store.read { try $0.count(query) }
        let isRight = rings.wait(secondsMax: trial.subject.patienceSeconds) { _ in
          while let update = try? subscription.take() { counts.append(update.count) }
          return counts.last == wanted
        }
        try trial.expect(isRight, "the count is \(counts), wanted \(wanted)")
      }
      try settle()
      for note in notes {
        var changed = note
        changed.rank += 1
        let other = changed
        try store.write { try $0.update(other) }
        try settle()
      }
      try store.write { try $0.insert(NoteWorld.note("in", rank: 7)) }
      try settle()
      try store.write { try $0.delete(query) }
      try settle()
      try trial.expectEqual(counts.last, 0, "the last count")
      for (one, next) in zip(counts, counts.dropFirst()) {
        try trial.expect(one != next, "the count \(one) was published twice")
      }
    },
    ConformanceCheck("live.sections", "Sections follow a live list, and tell which of them came and went.") { trial in
      let store = try trial.open(with: NoteWorld.notes(40))
      let query = Query<Note>().sorted(by: \.kind).sorted(by: \.rank)
      let probe = trial.probe(store, query)
      var sections = SectionsProbe<Note> { $0.kind.rawValue }
      var followed = 0
      var random = RandomGenerator(seed: 11)
      for count in 0..<120 {
        try probe.settle()
        for update in probe.updates[followed...] { try sections.follow(update) }
        followed = probe.updates.count
        // Now and then a section goes as a whole, and comes again.
        let kind = Note.Kind.allCases[count % 3]
        try store.write { transaction in
          if count % 20 == 7 { try transaction.delete(Query<Note> { $0.kind == kind }) }
          for index in 0..<random.below(3) where !probe.list.isEmpty {
            var note = random.pick(probe.list)
            note.kind = random.pick(Note.Kind.allCases)
            note.rank = random.below(6)
            if index == 0 { try transaction.save(note) } else { try transaction.delete(Note.self, id: note.id) }
          }
          for note in NoteWorld.notes(random.below(3), seed: UInt64(count + 500)) { try transaction.save(note) }
        }
      }
    },
    ConformanceCheck("live.invalid", "An invalid query is an error that names the field, once.") { trial in
      let store = try trial.open()
      let rings = EventLog<Void>()
      let query = Query<Note>(filter: .compare("nothing", .equal, .int(1)))
      let subscription = LiveListSubscription(store, query) { rings.append(()) }
      try trial.expect(rings.wait(secondsMax: trial.subject.patienceSeconds) { !$0.isEmpty }, "nobody was told")
      try trial.expectError(.invalidQuery, mentioning: "nothing", "an invalid live query") {
        _ = try subscription.take()
      }
      try trial.expect(try subscription.take() == nil, "an invalid query has a result")
    },
  ]

  /// The indexes of a difference.
  struct Shape: Equatable {
    var deleted: [Int] = []
    var inserted: [Int] = []
    var updated: [Int] = []
    var moved: [[Int]] = []
  }

  /// Runs one write, and expects one publication with this difference and the store's token.
  static func expectUpdate<R: TransparentRecord>(
    _ trial: Trial, _ probe: LiveProbe<R>, _ wanted: Shape, _ what: String, fileID: String = #fileID,
    line: Int = #line, _ body: (inout WriteTransaction) throws -> Void
  ) throws {
    let before = probe.updates.count
    try probe.store.write { try body(&$0) }
    try probe.settle()
    try trial.expectEqual(probe.updates.count, before + 1, "publications of \(what)", fileID: fileID, line: line)
    guard let update = probe.updates.last else { return }
    let found = Shape(
      deleted: update.difference.deleted.map(\.index), inserted: update.difference.inserted.map(\.index),
      updated: update.difference.updated.map(\.index), moved: update.difference.moved.map { [$0.from, $0.to] })
    try trial.expectEqual(found, wanted, "the difference of \(what)", fileID: fileID, line: line)
    let token = try probe.store.read { try $0.token() }
    try trial.expectEqual(update.token, token, "the token of \(what)", fileID: fileID, line: line)
  }
}

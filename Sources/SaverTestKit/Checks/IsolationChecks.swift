import FoundationEssentials
import SaverCore
import Synchronization

extension ConformanceSuite {
  static let isolationChecks: [ConformanceCheck] = [
    ConformanceCheck("isolation.snapshot", "A read that began before a commit of another thread does not see it.") {
      trial in
      let notes = NoteWorld.notes(4)
      let store = try trial.open(with: notes)
      let before = QueryOracle.results(of: Query<Note>(), in: notes)
      var changed = notes[0]
      changed.title = "changed"
      let update = changed
      try store.read { transaction in
        // The snapshot is taken when the read begins, not when it first asks for something.
        try Threads.run(1) { _ in
          try store.write { writer in
            try writer.insert(NoteWorld.note())
            try writer.delete(Note.self, id: notes[1].id)
            try writer.update(update)
          }
        }
        try trial.expectSame(try transaction.fetch(Query<Note>()), before, "a snapshot, after a commit")
        try trial.expectEqual(try transaction.count(Query<Note>()), 4, "the count of a snapshot")
        let found = try transaction.record(Note.self, id: notes[1].id)
        try trial.expect(found != nil, "a record that was deleted later is missing in the snapshot")
        let changed = try transaction.count(Query<Note> { $0.title == "changed" })
        try trial.expectEqual(changed, 0, "a later change, found by an index of the snapshot")
      }
      try trial.expectEqual(
        try store.read { try $0.count(Query<Note> { $0.title == "changed" }) }, 1, "a read that begins afterwards")
    },
    ConformanceCheck("isolation.midScan", "A scan goes on over its snapshot while another thread commits.") { trial in
      let notes = NoteWorld.notes(40)
      let store = try trial.open(with: notes)
      for query in [Query<Note>(), Query<Note>().sorted(by: \.createdAt)] {
        let held = try store.read { try $0.fetch(Query<Note>()) }
        let wanted = QueryOracle.results(of: query, in: held)
        var found: [Note] = []
        try store.read { transaction in
          try transaction.forEach(query) { note in
            found.append(note)
            if found.count == 5 {
              try Threads.run(1) { _ in
                try store.write { writer in
                  for note in wanted.suffix(5) { try writer.delete(Note.self, id: note.id) }
                  for note in NoteWorld.notes(5, seed: .random(in: 0 ... .max)) { try writer.insert(note) }
                }
              }
            }
            return true
          }
        }
        try trial.expectSame(found, wanted, "a scan during which another thread committed")
      }
    },
    ConformanceCheck("isolation.uncommitted", "Nobody sees what a transaction has not committed.") { trial in
      let store = try trial.open(with: NoteWorld.notes(2))
      try store.write { transaction in
        try transaction.insert(NoteWorld.note())
        try Threads.run(1) { _ in
          let count = try store.read { try $0.count(Query<Note>()) }
          try trial.expectEqual(count, 2, "what another thread sees during a write")
        }
        let inside = try store.read { try $0.count(Query<Note>()) }
        try trial.expectEqual(inside, 2, "what a read within the write, on its thread, sees")
      }
      let count = try store.read { try $0.count(Query<Note>()) }
      try trial.expectEqual(count, 3, "what is there after the commit")
    },
    ConformanceCheck("isolation.writers", "Writers queue: no increment of many threads is lost.") { trial in
      let counter = NoteWorld.note("counter")
      let store = try trial.open(with: [counter])
      let (threads, increments) = (4, 12)
      try Threads.run(threads) { _ in
        for _ in 0..<increments {
          try store.write { transaction in
            guard var note = try transaction.record(Note.self, id: counter.id) else { return }
            note.rank += 1
            try transaction.update(note)
          }
        }
      }
      let found = try store.read { try $0.record(Note.self, id: counter.id) }
      try trial.expectEqual(found?.rank, threads * increments, "increments")
    },
    ConformanceCheck("isolation.oneWriter", "No two write transactions overlap.") { trial in
      let store = try trial.open()
      let inside = Atomic(0)
      let overlaps = Atomic(0)
      try Threads.run(4) { _ in
        for _ in 0..<6 {
          try store.write { transaction in
            if inside.add(1, ordering: .sequentiallyConsistent).newValue > 1 {
              overlaps.add(1, ordering: .sequentiallyConsistent)
            }
            try transaction.insert(NoteWorld.note())
            inside.subtract(1, ordering: .sequentiallyConsistent)
          }
        }
      }
      try trial.expectEqual(overlaps.load(ordering: .sequentiallyConsistent), 0, "overlapping writes")
      try trial.expectEqual(try store.read { try $0.count(Query<Note>()) }, 24, "records")
    },
    ConformanceCheck("isolation.consistent", "Readers on many threads see each commit as a whole or not at all.") {
      trial in
      let pair = [NoteWorld.note("one"), NoteWorld.note("other")]
      let store = try trial.open(with: pair)
      try Threads.run(4) { index in
        for round in 1...12 {
          if index == 0 {
            try store.write { transaction in
              for var note in pair {
                note.rank = round
                try transaction.update(note)
              }
            }
          } else {
            let ranks = try store.read { transaction in
              [
                try transaction.record(Note.self, id: pair[0].id)?.rank,
                try transaction.fetch(Query<Note> { $0.text == "other" }).first?.rank,
              ]
            }
            try trial.expect(ranks[0] == ranks[1], "a commit was seen in part: \(ranks)")
          }
        }
      }
    },
    ConformanceCheck("isolation.visible", "What a write stored is seen by every read that begins afterwards.") {
      trial in
      let store = try trial.open()
      for count in 1...8 {
        try store.write { try $0.insert(NoteWorld.note()) }
        try trial.expectEqual(try store.read { try $0.count(Query<Note>()) }, count, "records on the same thread")
        try Threads.run(1) { _ in
          try trial.expectEqual(try store.read { try $0.fetch(Query<Note>()).count }, count, "on another thread")
        }
      }
    },
  ]
}

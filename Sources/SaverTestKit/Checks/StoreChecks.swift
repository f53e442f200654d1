import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  static let storeChecks: [ConformanceCheck] = [
    ConformanceCheck("store.capabilities", "A store can do what its backend is said to do.") { trial in
      try trial.expectEqual(try trial.open().capabilities, trial.subject.capabilities, "capabilities")
    },
    ConformanceCheck("store.identity", "Two stores have two identities.") { trial in
      let (one, other) = (try trial.open("one"), try trial.open("other"))
      try trial.expect(one.identity != other.identity, "two stores have one identity")
      try trial.expectEqual(one.identity, one.identity, "an identity asked for twice")
    },
    ConformanceCheck("store.apart", "Two stores share nothing.") { trial in
      let (one, other) = (try trial.open("one"), try trial.open("other"))
      try one.write { try $0.insert(NoteWorld.note()) }
      try trial.expectEqual(try other.read { try $0.count(Query<Note>()) }, 0, "records in the other store")
    },
    ConformanceCheck("store.writesInTwo", "A write to one store may be nested in a write to another.") { trial in
      let (one, other) = (try trial.open("one"), try trial.open("other"))
      try one.write { outer in
        try outer.insert(NoteWorld.note())
        try other.write { try $0.insert(NoteWorld.note()) }
      }
      let counts = try (one.read { try $0.count(Query<Note>()) }, other.read { try $0.count(Query<Note>()) })
      try trial.expect(counts == (1, 1), "records: \(counts)")
    },
    ConformanceCheck("store.path", "A store that keeps files says where; its files exist.") { trial in
      let store = try trial.open()
      guard trial.subject.capabilities.isPersistent else { return }
      guard let path = store.path else { throw trial.failure("a persistent store has no path", #fileID, #line) }
      try trial.expect(path.hasPrefix(trial.folder), "the store is not where it was to be")
      let inspection = try store.inspect(checkingIntegrity: true)
      try trial.expect(!inspection.files.isEmpty, "an inspection names no file")
      try trial.expectEqual(inspection.problems, [], "problems of a new store")
    },
    ConformanceCheck("store.repair", "To repair a store that has nothing wrong with it does nothing.") { trial in
      let store = try trial.open(with: SpecimenWorld.specimens)
      let (content, token) = try store.read { (try $0.content(of: Trial.world), try $0.token()) }
      try trial.expectEqual(try store.repair(), [], "what was mended")
      try trial.expectEqual(try store.read { try $0.token() }, token, "the token")
      try trial.expectEqual(try store.read { try $0.content(of: Trial.world) }, content, "the content")
    },
    ConformanceCheck("store.noSuchStore", "A missing store that must not be made is an error, and nothing is made.") {
      trial in
      guard trial.subject.capabilities.isPersistent else { return }
      for name in ["missing", "no/folder/missing"] {
        try trial.expectError(.noSuchStore, "opening a missing store") {
          _ = try trial.open(name, [Note.recordType], creation: .never)
        }
      }
      try trial.expectEqual(TemporaryFolder.contents(of: trial.folder), [], "files that were made")
    },
    ConformanceCheck("store.folders", "A store is made with the folders above it.") { trial in
      let store = try trial.open("a/b c/ü/store")
      try store.write { try $0.insert(NoteWorld.note()) }
      try trial.expectEqual(try store.read { try $0.count(Query<Note>()) }, 1, "records")
    },
    ConformanceCheck("store.handles", "Two handles of one store see each other's commits and have one identity.") {
      trial in
      guard trial.subject.capabilities.isShared else { return }
      let (one, other) = (try trial.open(), try trial.open())
      try trial.expectEqual(one.identity, other.identity, "the identity of one store")
      for count in 1...4 {
        try (count % 2 == 0 ? one : other).write { try $0.insert(NoteWorld.note()) }
        let counts = try [one, other].map { try $0.read { try $0.count(Query<Note>()) } }
        try trial.expectEqual(counts, [count, count], "records seen by the two")
      }
    },
    ConformanceCheck("store.handleWriters", "Writers of two handles queue too.") { trial in
      guard trial.subject.capabilities.isShared else { return }
      let handles = [try trial.open(), try trial.open()]
      let counter = NoteWorld.note("counter")
      try handles[0].write { try $0.insert(counter) }
      try Threads.run(4) { index in
        for _ in 0..<8 {
          try handles[index % 2].write { transaction in
            guard var note = try transaction.record(Note.self, id: counter.id) else { return }
            note.rank += 1
            try transaction.update(note)
          }
        }
      }
      let found = try handles[1].read { try $0.record(Note.self, id: counter.id) }
      try trial.expectEqual(found?.rank, 32, "increments")
    },
    ConformanceCheck("store.openTogether", "Many may open a missing store at once: one is made, and all have it.") {
      trial in
      guard trial.subject.capabilities.isShared else { return }
      try Threads.run(6) { _ in
        let store = try trial.open()
        try store.write { try $0.insert(NoteWorld.note()) }
      }
      try trial.expectEqual(try trial.open().read { try $0.count(Query<Note>()) }, 6, "records of six openers")
    },
  ]
}

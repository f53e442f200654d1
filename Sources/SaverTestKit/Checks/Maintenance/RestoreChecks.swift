import FoundationEssentials
import Glibc
import SaverCore

/// Backups that are put into an open store.
extension ConformanceSuite {
  static let restoreChecks: [ConformanceCheck] = [
    backup("restore.content", "A restored store has the backup's records and its own identity; every handle sees it.") {
      trial in
      let (store, notes, _) = try changedSince(trial)
      let other = try trial.open()
      let identity = store.identity
      try store.restore(from: trial.folder + "/copy", overwriting: true)
      for handle in [store, other, try trial.open()] {
        try trial.expectEqual(handle.identity, identity, "the identity")
        let found = try handle.read { try $0.fetch(Query<Note>()) }
        try trial.expectSame(found, QueryOracle.results(of: Query(), in: notes), "the restored records")
        try trial.expectAnswer(Query<Note> { $0.isDone && $0.rank > 0 }, on: handle, holding: notes)
        try trial.expectEqual(try handle.inspect(checkingIntegrity: true).problems, [], "problems")
      }
      let note = NoteWorld.note("afterwards")
      try other.write { try $0.insert(note) }
      try trial.expectAnswer(Query<Note>().sorted(by: \.title), on: store, holding: notes + [note])
      let left = TemporaryFolder.contents(of: trial.folder).filter { $0.hasPrefix(".") }
      try trial.expectEqual(left, [], "what is left of restoring")
    },
    backup("restore.file", "The backup is only read.") { trial in
      let (store, _, path) = try changedSince(trial)
      let before = try Data(contentsOf: URL(filePath: path))
      let names = TemporaryFolder.contents(of: trial.folder)
      try store.restore(from: path, overwriting: true)
      try trial.expectEqual(try Data(contentsOf: URL(filePath: path)), before, "the backup")
      try trial.expectEqual(TemporaryFolder.contents(of: trial.folder), names, "what lies in the folder")
    },
    backup("restore.twice", "A backup can be restored again, and a backup of the restored store, too.") { trial in
      let (store, notes, path) = try changedSince(trial)
      try store.restore(from: path, overwriting: true)
      try store.write { try $0.delete(Query<Note>()) }
      try store.restore(from: path, overwriting: false)
      try store.backUp(to: trial.folder + "/second")
      let token = try store.read { try $0.token() }
      try store.write { try $0.delete(Query<Note>()) }
      try store.restore(from: trial.folder + "/second")
      try trial.expectAnswer(Query<Note>(), on: store, holding: notes)
      try expectStanding(trial, .otherBranch, of: token, in: store)
    },
    backup("restore.tokens", "Every token from before a restore is of another branch, also when the store has gone on.")
    {
      trial in
      let store = try trial.open()
      var tokens = [HistoryToken.beginning(of: store.identity)]
      let notes = NoteWorld.notes(12)
      for (count, note) in notes.enumerated() {
        if count == 6 { try store.backUp(to: trial.folder + "/copy") }
        try store.write { try $0.insert(note) }
        tokens.append(try store.read { try $0.token() })
      }
      try store.restore(from: trial.folder + "/copy", overwriting: true)
      let restored = try store.read { try $0.token() }
      try trial.expect(restored.sequence > tokens[tokens.count - 1].sequence, "the sequence went back to \(restored)")
      for round in 0..<2 {
        for token in tokens { try expectStanding(trial, .otherBranch, of: token, in: store) }
        try trial.expectEqual(try store.read { try $0.standing(of: restored) }, .usable, "the token of the restore")
        if round == 0 {
          for note in NoteWorld.notes(20, seed: 3) { try store.write { try $0.insert(note) } }
        }
      }
      let (changes, _) = try store.read { try $0.changes(after: restored) }
      try trial.expectEqual(changes.map(\.kind), Array(repeating: .insert, count: 20), "the changes since the restore")
      let again = try trial.open()
      for token in tokens { try expectStanding(trial, .otherBranch, of: token, in: again) }
    },
    backup("restore.live", "Live queries show a restored store as a reset, an empty one from before included.") {
      trial in
      let (store, notes, path) = try changedSince(trial)
      let other = try trial.open()
      let probes = [
        trial.probe(store, Query<Note>().sorted(by: \.rank)), trial.probe(other, Query<Note>()),
        trial.probe(other, Query<Note>().sorted(by: \.createdAt).limit(5)),
      ]
      for probe in probes { try probe.settle() }
      try store.restore(from: path, overwriting: true)
      let empty = try trial.open(Trial.freshName())
      let emptyProbe = trial.probe(empty, Query<Note>())
      try emptyProbe.settle()
      try empty.restore(from: path)
      for probe in probes + [emptyProbe] {
        try probe.wait("a reset") { _ in
          probe.updates.contains { if case .reset(.otherBranch) = $0.kind { true } else { false } }
        }
        try probe.settle()
      }
      try trial.expectEqual(probes[1].list.count, notes.count, "records that are shown")
      // And follow it again, change by change.
      try store.write { try $0.insert(NoteWorld.note("a new one")) }
      try probes[1].wait("a new one") { $0.contains { $0.text == "a new one" } }
      guard case .change = probes[1].updates[probes[1].updates.count - 1].kind else {
        throw trial.failure("a change after the reset was published as another reset", #fileID, #line)
      }
    },
    backup("restore.notEmpty", "Records are not replaced unless they may be; a store without any needs no leave.") {
      trial in
      let (store, _, path) = try changedSince(trial)
      let before = try store.read { (try $0.token(), try $0.count(Query<Note>())) }
      try trial.expectError(.notEmpty, "restoring into a store with records") { try store.restore(from: path) }
      let after = try store.read { (try $0.token(), try $0.count(Query<Note>())) }
      try trial.expect(before == after, "the store has changed: \(before), \(after)")
      // Records of a type that the program does not know are records, too.
      let name = Trial.freshName()
      try trial.open(name).write { try $0.insert(SpecimenWorld.specimens[0]) }
      let stranger = try trial.open(name, [Note.recordType])
      try trial.expectError(.notEmpty, "records of another type") { try stranger.restore(from: path) }
    },
    backup("restore.refuses", "What is no sound backup of the engine is refused, and nothing has changed.") { trial in
      let (store, _, path) = try changedSince(trial)
      let bytes = try Data(contentsOf: URL(filePath: path))
      let ending = path.dropFirst((trial.folder + "/copy").count)
      func file(_ name: String, _ content: Data) throws -> String {
        let path = trial.folder + "/" + name + ending
        try content.write(to: URL(filePath: path))
        return path
      }
      var random = RandomGenerator(seed: 5)
      let noise = Data((0..<20_000).map { _ in UInt8(truncatingIfNeeded: random.below(256)) })
      let folder = trial.folder + "/folder" + ending
      try trial.expect(mkdir(folder, 0o755) == 0, "cannot make a folder")
      guard let own = store.path else { throw trial.failure("a store without a path", #fileID, #line) }
      let before = try store.read { (try $0.token(), try $0.count(Query<Note>())) }
      let cases: [(String, [StorageError.Code])] = [
        (trial.folder + "/nothing", [.noSuchStore]),
        (try file("empty", Data()), [.foreignFile]),
        (try file("noise", noise), [.foreignFile]),
        (try file("words", Data("no backup, but a text\n".utf8)), [.foreignFile]),
        (try file("half", bytes.prefix(bytes.count / 2)), [.corrupt, .foreignFile]),
        (folder, [.foreignFile]),
        (own, [.foreignFile]),
      ]
      for (name, codes) in cases {
        do {
          try store.restore(from: name, overwriting: true)
          throw trial.failure("\(name) was restored", #fileID, #line)
        } catch let error as StorageError {
          try trial.expect(codes.contains(error.code), "\(name): \(error.code.rawValue), wanted one of \(codes)")
        }
        let after = try store.read { (try $0.token(), try $0.count(Query<Note>())) }
        try trial.expect(before == after, "\(name) has changed the store: \(before), \(after)")
      }
      let left = TemporaryFolder.contents(of: trial.folder).filter { $0.hasPrefix(".") }
      try trial.expectEqual(left, [], "what is left of restoring")
    },
    backup("restore.migrates", "A backup with an earlier schema is migrated; one that cannot be is refused.") { trial in
      let old = try trial.open("old", [Evolution.First.recordType])
      try old.write { transaction in for page in Evolution.pages { try transaction.insert(page) } }
      let path = try old.backUp(to: trial.folder + "/copy").path
      let store = try trial.open("store", [Evolution.Second.recordType])
      try store.restore(from: path)
      let found = try store.read { try $0.fetch(Query<Evolution.Second> { $0.stars == 3 }.sorted(by: \.text)) }
      try trial.expectEqual(found.map(\.text), Evolution.pages.map(\.text), "the migrated records")
      try trial.expectEqual(try store.inspect(checkingIntegrity: true).problems, [], "problems")
      let other = try trial.open("other", [Evolution.LevelAsText.recordType])
      let token = try other.read { try $0.token() }
      try trial.expectError(.schemaMismatch, "a schema that nothing leads to") { try other.restore(from: path) }
      try trial.expectEqual(try other.read { try $0.token() }, token, "the token")
    },
    backup("restore.undo", "What was done before a restore is not taken back after it; what comes after is.") { trial in
      let (store, notes, path) = try changedSince(trial)
      try store.restore(from: path, overwriting: true)
      let outcome = try store.undo(of: Trial.world)
      guard case .refused(let operation) = outcome, operation.conflicts == [.unknownChanges] else {
        throw trial.failure("an undo after a restore: \(outcome)", #fileID, #line)
      }
      try store.write(WriteOperation("delete")) { try $0.delete(Note.self, id: notes[0].id) }
      guard case .done = try store.undo(of: Trial.world) else {
        throw trial.failure("what was done after a restore cannot be undone", #fileID, #line)
      }
      try trial.expectAnswer(Query<Note>(), on: store, holding: notes)
    },
  ]

  /// A store, what its backup `copy` holds, and where that is; the store has gone on since.
  private static func changedSince(_ trial: Trial) throws -> (Store, [Note], String) {
    let store = try trial.open()
    let notes = NoteWorld.notes(25)
    try store.write { transaction in for note in notes { try transaction.insert(note) } }
    let path = try store.backUp(to: trial.folder + "/copy").path
    try store.write { transaction in
      try transaction.delete(Query<Note> { $0.isDone })
      for note in NoteWorld.notes(40, seed: 9) { try transaction.insert(note) }
    }
    return (store, notes, path)
  }
}

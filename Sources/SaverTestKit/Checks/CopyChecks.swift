import FoundationEssentials
import SaverCore

/// What a backend promises of a copy that is made into it, from whatever engine.
extension ConformanceSuite {
  static let copyChecks: [ConformanceCheck] = [
    copying("copy.exact", "A copy holds every record, value for value, in a store with an identity of its own.") {
      trial, copy in
      let source = try fill(trial)
      let made = try copy(source, trial.location("copy"), CopyOptions())
      try trial.expect(!made.hasReplacedStore, "a new store is said to have replaced one")
      try trial.expectEqual(made.content.count, NoteWorld.notes(40).count + SpecimenWorld.specimens.count, "records")
      let store = try trial.open("copy", types, creation: .never)
      try trial.expectSame(
        try store.read { try $0.fetch(Query<Note>()) }, QueryOracle.results(of: Query(), in: NoteWorld.notes(40)),
        "notes")
      try trial.expectSame(
        try store.read { try $0.fetch(Query<Specimen>()) },
        QueryOracle.results(of: Query(), in: SpecimenWorld.specimens), "specimens")
      try trial.expectEqual(try store.read { try $0.content(of: types) }, made.content, "the copy's content")
      try trial.expectEqual(try source.read { try $0.content(of: types) }, made.content, "the source's content")
      try trial.expect(
        store.identity == made.identity && store.identity != source.identity, "the identity is no new one")
      try trial.expectEqual(try store.inspect(checkingIntegrity: true).problems, [], "problems")
    },
    copying("copy.alone", "A new copy leaves nothing beside it but what the backend keeps there.") { trial, copy in
      let source = try fill(trial)
      let made = try trial.open("made", types).path.map { StoreFile(path: $0).name } ?? ""
      let before = TemporaryFolder.contents(of: trial.folder)
      _ = try copy(source, trial.location("copy"), CopyOptions())
      let new = Set(TemporaryFolder.contents(of: trial.folder)).subtracting(before)
      // A store that was opened and closed shows what belongs to one.
      let own = before.filter { $0.hasPrefix(made) }.map { "copy" + $0.dropFirst("made".count) }
      try trial.expect(new.isSubset(of: own), "the copy left \(new.sorted()), a store has \(own)")
    },
    copying("copy.snapshot", "What is written to the source while it is copied is not in the copy.") { trial, copy in
      let source = try fill(trial)
      let wanted = try source.read { try $0.content(of: types) }
      let made = try copy(
        source, trial.location("copy"),
        CopyOptions { _, _ in
          try source.write { transaction in
            try transaction.insert(NoteWorld.note())
            _ = try transaction.delete(Specimen.self, id: SpecimenWorld.specimens[0].id)
          }
        })
      try trial.expectEqual(made.content, wanted, "the copy's content")
      try trial.expect(try source.read { try $0.content(of: types) } != wanted, "the source was not written to")
    },
    copying("copy.interrupted", "A copy that is interrupted leaves nothing, wherever that happens.") { trial, copy in
      struct Interruption: Error {}
      let source = try fill(trial, notes: 700)
      let before = TemporaryFolder.contents(of: trial.folder)
      for limit in [0, 200, 600] {
        do {
          _ = try copy(
            source, trial.location("copy"), CopyOptions { done, _ in if done >= limit { throw Interruption() } })
          throw trial.failure("a copy was not interrupted at \(limit)", #fileID, #line)
        } catch is Interruption {}
        let left = TemporaryFolder.contents(of: trial.folder).filter {
          !before.contains($0) && !$0.hasSuffix("-writer")
        }
        try trial.expectEqual(left, [], "what is left of a copy that was interrupted at \(limit)")
      }
      try trial.expectError(.noSuchStore, "opening the copy") { _ = try trial.open("copy", types, creation: .never) }
    },
    copying("copy.refused", "A store that is there is not touched unless that is asked for.") { trial, copy in
      let source = try fill(trial)
      let other = try trial.open("copy", types)
      try other.write { try $0.insert(NoteWorld.note()) }
      let content = try other.read { try $0.content(of: types) }
      try trial.expectError(.cannotCreate, "copying over a store") {
        _ = try copy(source, trial.location("copy"), CopyOptions())
      }
      try trial.expectEqual(try other.read { try $0.content(of: types) }, content, "the store that was there")
    },
    copying("copy.replaced", "A store that is replaced keeps its identity, and shows it to all who have it open.") {
      trial, copy in
      let source = try fill(trial)
      let other = try trial.open("copy", types)
      try other.write { transaction in
        try transaction.insert(NoteWorld.note())
        // One that the source has too.
        try transaction.insert(SpecimenWorld.specimens[1])
      }
      let content = try other.read { try $0.content(of: types) }
      let token = try other.read { try $0.token() }
      let made = try copy(source, trial.location("copy"), CopyOptions(replacesStore: true))
      try trial.expect(made.hasReplacedStore && made.identity == other.identity, "the store has another identity")
      try trial.expectEqual(try other.read { try $0.content(of: types) }, made.content, "the content")
      try trial.expectEqual(try other.read { try $0.standing(of: token) }, .usable, "a token from before")
      guard case .done = try other.undo(of: types) else { throw trial.failure("no undo", #fileID, #line) }
      try trial.expectEqual(try other.read { try $0.content(of: types) }, content, "the content after an undo")
      try trial.expectEqual(try other.inspect(checkingIntegrity: true).problems, [], "problems")
    },
    copying("copy.replaceInterrupted", "A replacement that is interrupted changes nothing.") { trial, copy in
      struct Interruption: Error {}
      let source = try fill(trial, notes: 300)
      let other = try trial.open("copy", types)
      try other.write { try $0.insert(NoteWorld.note()) }
      let (content, token) = try other.read { (try $0.content(of: types), try $0.token()) }
      do {
        _ = try copy(
          source, trial.location("copy"),
          CopyOptions(replacesStore: true) { done, _ in if done >= 200 { throw Interruption() } })
        throw trial.failure("a copy was not interrupted", #fileID, #line)
      } catch is Interruption {}
      try trial.expectEqual(try other.read { try $0.content(of: types) }, content, "the content")
      try trial.expectEqual(try other.read { try $0.token() }, token, "the token")
    },
    copying("copy.itself", "A store is not copied to itself, whatever it is called.") { trial, copy in
      let source = try fill(trial)
      let content = try source.read { try $0.content(of: types) }
      guard let path = source.path else { return }
      try FileManager.default.createSymbolicLink(
        atPath: "\(trial.folder)/link-\(StoreFile(path: path).name)", withDestinationPath: path)
      for base in [path, "\(trial.folder)/./source", "\(trial.folder)/link-source"] {
        try trial.expectError(.invalidConfiguration, "copying to itself") {
          _ = try copy(source, StoreLocation(base: base), CopyOptions(replacesStore: true))
        }
      }
      try trial.expectEqual(try source.read { try $0.content(of: types) }, content, "the content")
    },
    copying("copy.beginning", "A copy's history begins with it: there is nothing to undo, and what comes later can be.")
    {
      trial, copy in
      _ = try copy(try fill(trial), trial.location("copy"), CopyOptions())
      let store = try trial.open("copy", types)
      guard case .nothing = try store.undo(of: types) else {
        throw trial.failure("the copy itself can be undone", #fileID, #line)
      }
      guard case .nothing = try store.redo(of: types) else {
        throw trial.failure("the copy itself can be redone", #fileID, #line)
      }
      let content = try store.read { try $0.content(of: types) }
      try store.write { transaction in try transaction.delete(Query<Note>()) }
      guard case .done = try store.undo(of: types) else {
        throw trial.failure("what was done to a copy cannot be undone", #fileID, #line)
      }
      try trial.expectEqual(try store.read { try $0.content(of: types) }, content, "the content after an undo")
    },
  ]

  private static let types = [Note.recordType, Specimen.recordType]

  private typealias Copy = (Store, StoreLocation, CopyOptions) throws -> StoreCopy

  /// A check of a backend that others can be copied to.
  private static func copying(
    _ id: String, _ summary: String, _ body: @escaping @Sendable (Trial, Copy) throws -> Void
  ) -> ConformanceCheck {
    persistent(id, summary) { trial in
      guard let copy = trial.subject.copy else { return }
      try body(trial) { try copy($0, types, $1, $2) }
    }
  }

  private static func fill(_ trial: Trial, notes count: Int = 40) throws -> Store {
    let source = try trial.open("source", types)
    try source.write { transaction in
      for note in NoteWorld.notes(count) { try transaction.insert(note) }
      for specimen in SpecimenWorld.specimens { try transaction.insert(specimen) }
    }
    return source
  }
}

extension Trial {
  fileprivate func location(_ name: String) -> StoreLocation { StoreLocation(base: "\(folder)/\(name)") }
}

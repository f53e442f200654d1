import FoundationEssentials
import Glibc
import SaverCore

/// Copies of a store that are made while others write.
extension ConformanceSuite {
  static let backupChecks: [ConformanceCheck] = [
    backup("backup.copy", "A backup is a store of its own: same identity, records, indexes and history.") { trial in
      let notes = NoteWorld.notes(40)
      let store = try trial.open(with: notes)
      try store.write(WriteOperation("delete")) { try $0.delete(Note.self, id: notes[3].id) }
      let report = try store.backUp(to: trial.folder + "/copy")
      let (token, logged) = try store.read { (try $0.token(), try $0.logged().map(\.change)) }
      let left = notes.filter { $0.id != notes[3].id }
      let copy = try trial.open("copy")
      try trial.expectEqual(copy.identity, store.identity, "the identity of the copy")
      try trial.expectSame(
        try copy.read { try $0.fetch(Query<Note>()) }, QueryOracle.results(of: Query(), in: left), "the copy")
      try trial.expectAnswer(Query<Note> { $0.title == "two" }, on: copy, holding: left)
      let head = try copy.read { try $0.engine.historyHead() }
      try trial.expectEqual(head.token, token, "the token of the copy")
      try trial.expect(!head.hasUnknownChanges, "the copy has changes that its history does not tell of")
      try trial.expectEqual(try copy.read { try $0.logged().map(\.change) }, logged, "the history of the copy")
      try trial.expectEqual(try copy.inspect(checkingIntegrity: true).problems, [], "problems of the copy")
      var status = stat()
      try trial.expect(stat(report.path, &status) == 0, "there is nothing at \(report.path)")
      try trial.expectEqual(status.st_mode & 0o777, 0o600, "the mode of the copy")
      try trial.expect(report.size > 0, "the copy has \(report.size) bytes")
      // It goes on like any store.
      try copy.write { try $0.insert(NoteWorld.note()) }
      let kinds = try copy.read { try $0.changes(after: token).0.map(\.kind) }
      try trial.expectEqual(kinds, [.insert], "the changes in the copy since it was made")
    },
    backup("backup.names", "A base gets the engine's extension, a file keeps its name, and nothing else is left.") {
      trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let folder = trial.folder + "/backups"
      try trial.expect(mkdir(folder, 0o755) == 0, "cannot make a folder")
      let first = try store.backUp(to: folder + "/one").path
      try trial.expect(first.hasPrefix(folder + "/one."), "a base became \(first)")
      let named = folder + "/two" + first.dropFirst((folder + "/one").count)
      try trial.expectEqual(try store.backUp(to: named).path, named, "the name of a file")
      let names = [first, named].map { String($0.dropFirst(folder.count + 1)) }
      try trial.expectEqual(TemporaryFolder.contents(of: folder), names.sorted(), "what lies in the folder")
      try trial.expectError(.cannotCreate, "a folder that is not there") {
        try store.backUp(to: trial.folder + "/nowhere/copy")
      }
      try trial.expectEqual(TemporaryFolder.contents(of: folder), names.sorted(), "what lies in the folder")
    },
    backup("backup.exists", "What has the name already is left alone, unless it may be replaced.") { trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let path = try store.backUp(to: trial.folder + "/copy").path
      try store.write { try $0.insert(NoteWorld.note()) }
      let before = try Data(contentsOf: URL(filePath: path))
      try trial.expectError(.fileExists, "a backup over another") { try store.backUp(to: path) }
      try trial.expectEqual(try Data(contentsOf: URL(filePath: path)), before, "the backup that was there")
      try store.backUp(to: path, overwriting: true)
      let copy = try trial.open("copy")
      try trial.expectEqual(try copy.read { try $0.count(Query<Note>()) }, 4, "records in the replaced backup")
    },
    backup("backup.links", "A link is never followed: it is in the way, or is replaced itself.") { trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let path = try store.backUp(to: trial.folder + "/copy").path
      let ending = path.dropFirst((trial.folder + "/copy").count)
      let victim = trial.folder + "/victim"
      try Data("precious".utf8).write(to: URL(filePath: victim))
      for (name, target) in [("/link", victim), ("/dangling", trial.folder + "/nothing")] {
        let link = trial.folder + name + ending
        try trial.expect(symlink(target, link) == 0, "cannot make a link")
        try trial.expectError(.fileExists, "a link as the name") { try store.backUp(to: link) }
        try store.backUp(to: link, overwriting: true)
        var status = stat()
        try trial.expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFREG, "the link is still one")
      }
      try trial.expectEqual(try Data(contentsOf: URL(filePath: victim)), Data("precious".utf8), "the link's target")
      try trial.expect(access(trial.folder + "/nothing", F_OK) != 0, "a dangling link was followed")
    },
    backup("backup.never", "Neither a folder nor the store itself is ever replaced, whatever its name.") { trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let path = try store.backUp(to: trial.folder + "/copy").path
      let ending = path.dropFirst((trial.folder + "/copy").count)
      guard let own = store.path else { throw trial.failure("a store without a path", #fileID, #line) }
      let alias = trial.folder + "/alias" + ending
      try trial.expect(link(own, alias) == 0, "cannot make a link")
      let folder = trial.folder + "/folder" + ending
      try trial.expect(mkdir(folder, 0o755) == 0, "cannot make a folder")
      for name in [own, alias, folder] {
        try trial.expectError(.cannotCreate, "a backup to \(name)") { try store.backUp(to: name, overwriting: true) }
      }
      try trial.expectEqual(try store.read { try $0.count(Query<Note>()) }, 3, "records")
      try trial.expectEqual(try store.inspect(checkingIntegrity: true).problems, [], "problems")
    },
    backup("backup.whileWriting", "Made while others write, a backup is one whole state, and holds nobody up.") {
      trial in
      let store = try trial.open("store", [Twin.recordType])
      let isOver = Guarded(false)
      let steps = Guarded(0)
      try Threads.run(3) { index in
        guard index > 0 else {
          defer { isOver.withLock { $0 = true } }
          for round in 0..<6 {
            let before = steps.withLock { $0 }
            try store.backUp(to: "\(trial.folder)/copy\(round)")
            let copy = try trial.open("copy\(round)", [Twin.recordType])
            let twins = try copy.read { try $0.fetch(Query<Twin>()) }
            if let tear = Twin.tear(in: twins) { throw trial.failure("backup \(round): \(tear)", #fileID, #line) }
            try trial.expectEqual(try copy.inspect(checkingIntegrity: true).problems, [], "problems of a backup")
            let head = try copy.read { try $0.engine.historyHead() }
            try trial.expect(!head.hasUnknownChanges, "backup \(round) has unknown changes")
            let deadline = Deadline(milliseconds: 20_000)
            while steps.withLock({ $0 }) == before, !deadline.hasPassed { usleep(1_000) }
            try trial.expect(steps.withLock { $0 } > before, "nobody has written meanwhile")
          }
          return
        }
        var script = TwinScript(writer: index, seed: 11)
        while !isOver.withLock({ $0 }) {
          let changes = script.next()
          try store.write { try TwinScript.make(changes, of: index, in: &$0) }
          steps.withLock { $0 += 1 }
        }
      }
      let left = TemporaryFolder.contents(of: trial.folder).filter { $0.hasPrefix(".") }
      try trial.expectEqual(left, [], "what is left of making backups")
    },
    backup("backup.branches", "A store and its backup that both go on are told apart by their tokens.") { trial in
      let store = try trial.open(with: NoteWorld.notes(5))
      try store.backUp(to: trial.folder + "/copy")
      let copy = try trial.open("copy")
      let common = try store.read { try $0.token() }
      for note in NoteWorld.notes(3, seed: 20) {
        try store.write { try $0.insert(note) }
        try copy.write { try $0.insert(note) }
      }
      let tokens = try [store, copy].map { try $0.read { try $0.token() } }
      try trial.expectEqual(tokens[0].sequence, tokens[1].sequence, "the sequences")
      try expectStanding(trial, .otherBranch, of: tokens[1], in: store)
      try expectStanding(trial, .otherBranch, of: tokens[0], in: copy)
      for one in [store, copy] {
        try trial.expectEqual(try one.read { try $0.standing(of: common) }, .usable, "the token from before")
      }
    },
  ]

  /// A check of what only stores that can be backed up promise.
  static func backup(
    _ id: String, _ summary: String, _ body: @escaping @Sendable (Trial) throws -> Void
  ) -> ConformanceCheck {
    ConformanceCheck(id, summary) { trial in
      if trial.subject.capabilities.canBackUp { try body(trial) }
    }
  }
}

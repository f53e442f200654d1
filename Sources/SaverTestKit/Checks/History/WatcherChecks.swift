import FoundationEssentials
import SaverCore

/// What the observer of a store looks with.
extension ConformanceSuite {
  private struct Interruption: Error {}

  static let watcherChecks: [ConformanceCheck] = [
    ConformanceCheck("watcher.revision", "The revision moves with each commit that changed something.") { trial in
      let store = try trial.open()
      let watcher = try store.engine.makeWatcher()
      var head = try Self.head(watcher)
      for note in NoteWorld.notes(10) {
        try store.write { try $0.insert(note) }
        let next = try Self.head(watcher)
        try trial.expect(next.revision != head.revision, "a commit did not move the revision")
        try trial.expectEqual(next.token, try store.read { try $0.token() }, "the token that a watcher sees")
        try trial.expect(!next.hasUnknownChanges, "a commit of the library is unknown")
        head = next
      }
      for handle in trial.subject.capabilities.isShared ? [try trial.open()] : [] {
        try handle.write { try $0.insert(NoteWorld.note()) }
        try trial.expect(try Self.head(watcher).revision != head.revision, "another handle's commit is not seen")
      }
    },
    ConformanceCheck("watcher.quiet", "Reads, rollbacks, empty writes and checks move no revision.") { trial in
      let notes = NoteWorld.notes(3)
      let store = try trial.open(with: notes)
      let watcher = try store.engine.makeWatcher()
      let before = try head(watcher)
      for _ in 0..<3 {
        _ = try store.read { try $0.fetch(Query<Note>().sorted(by: \.title)) }
        try store.write { _ in }
        _ = try? store.write { transaction -> Void in
          try transaction.delete(Query<Note>())
          throw Interruption()
        }
        _ = try store.inspect(checkingIntegrity: true)
        try trial.expectEqual(try watcher.lookAfterStore(), .unchanged, "the store's place")
        try trial.expectEqual(try head(watcher), before, "the head")
      }
    },
    ConformanceCheck("watcher.snapshot", "A watcher reads what is committed, in one snapshot.") { trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let watcher = try store.engine.makeWatcher()
      try watcher.read { transaction in
        let before = try transaction.historyHead()
        try Threads.run(1) { _ in try store.write { try $0.insert(NoteWorld.note()) } }
        try trial.expectEqual(try transaction.historyHead(), before, "the head while another commits")
        try trial.expectEqual(try transaction.count(try allNotes()), 3, "rows while another commits")
      }
      var later = 0
      try watcher.read { later = try $0.count(try allNotes()) }
      try trial.expectEqual(later, 4, "rows in the next snapshot")
    },
    ConformanceCheck("watcher.alone", "A watcher keeps working when everybody has let go of the store.") { trial in
      let watcher = try { () throws -> any EngineWatcher in
        let store = try trial.open()
        try store.write { try $0.insert(NoteWorld.note()) }
        return try store.engine.makeWatcher()
      }()
      var count = 0
      try watcher.read { count = try $0.count(try allNotes()) }
      try trial.expectEqual(count, 1, "rows")
    },
    ConformanceCheck("watcher.source", "A source takes turns when woken and when it was asked to, none once stopped.") {
      trial in
      let store = try trial.open()
      let source = store.engine.makeWakeSource()
      let turns = EventLog<WakeReasons>()
      source.start { reasons in
        turns.append(reasons)
        // After a commit, one more at once; otherwise none until somebody asks.
        return reasons.contains(.commit) ? Deadline(milliseconds: 1) : .distantFuture
      }
      defer { source.stop() }
      for reason in [WakeReasons.request, .commit] {
        source.wake(reason)
        try trial.expect(
          turns.wait(secondsMax: trial.subject.patienceSeconds) { $0.contains { $0.contains(reason) } },
          "no turn was taken for \(reason)")
      }
      try trial.expect(
        turns.wait(secondsMax: trial.subject.patienceSeconds) { $0.contains { $0.contains(.time) } },
        "no turn was taken at the time asked for")
    },
  ]

  private static func allNotes() throws -> Selection { try Selection(Note.recordType, filter: .constant(true)) }

  private static func head(_ watcher: any EngineWatcher) throws -> HistoryHead {
    var head: HistoryHead?
    try watcher.read { head = try $0.historyHead() }
    guard let head else { throw Interruption() }
    return head
  }
}

import FoundationEssentials
import SaverCore

/// When a live query publishes, and what it costs.
extension ConformanceSuite {
  static let liveBehaviourChecks: [ConformanceCheck] = [
    ConformanceCheck("live.merged", "A consumer that does not come gets one difference for all that it has missed.") {
      trial in
      let store = try trial.open(with: NoteWorld.notes(50))
      let probe = trial.probe(store, Query<Note>().sorted(by: \.rank).limit(30))
      let other = trial.probe(store, Query<Note>())
      try probe.settle()
      let first = probe.updates[0]
      var notes = NoteWorld.notes(50)
      for count in 0..<300 {
        notes[count % 50].rank = count % 7
        notes[count % 50].text = "changed \(count)"
        let changed = notes[count % 50]
        try store.write { try $0.update(changed) }
      }
      try other.settle()
      try trial.expect(probe.waitForRing(), "nobody was told")
      let taken = try probe.take()
      try trial.expectEqual(taken.count, 1, "publications after 300 commits")
      try trial.expect(probe.ringCount <= 3, "\(probe.ringCount) calls")
      try trial.expectEqual(Array(first.items).count, 30, "a list that was handed out before")
      try probe.settle()
    },
    ConformanceCheck(
      "live.mergedToNothing", "Changes that take each other back are nothing to a consumer that was away."
    ) { trial in
      let notes = NoteWorld.notes(10)
      let store = try trial.open(with: notes)
      let probe = trial.probe(store, Query<Note>().sorted(by: \.rank))
      let other = trial.probe(store, Query<Note>())
      try probe.settle()
      var changed = notes[0]
      changed.text = "away"
      let away = changed
      try store.write { try $0.update(away) }
      try other.settle()
      try store.write { try $0.update(notes[0]) }
      try store.write { try $0.insert(NoteWorld.note("a mark")) }
      try other.settle()
      try store.write { try $0.delete(Query<Note> { $0.text == "a mark" }) }
      try other.settle()
      let taken = try probe.take()
      try trial.expect(
        taken.allSatisfy { !$0.difference.isEmpty }, "a publication without a difference: \(taken.map(\.kind))")
      try probe.settle()
    },
    ConformanceCheck("live.nothingBetween", "A commit between listening, the first fetch and the first check is seen.")
    {
      trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let between = [NoteWorld.note("before the first fetch"), NoteWorld.note("behind the first fetch")]
      let commits = Guarded(0)
      var hooks = StoreObserver.Hooks()
      hooks.didStartListening = {
        try? store.engine.write(WriteOperation()) { try insert(between[0], $0) }
        commits.withLock { $0 += 1 }
      }
      hooks.didBegin = { _ in
        // By the engine: nobody in this process is told of the commit.
        try? store.engine.write(WriteOperation()) { try insert(between[1], $0) }
        commits.withLock { $0 += 1 }
        if !trial.subject.capabilities.isShared { store.observer.committed() }
      }
      store.observer.hooks = hooks
      let probe = trial.probe(store, Query<Note>().sorted(by: \.createdAt))
      try probe.wait("the commits in between") { notes in
        between.allSatisfy { note in notes.contains { $0.id == note.id } }
      }
      try probe.settle()
      try trial.expectEqual(commits.withLock { $0 }, 2, "commits in between")
      try trial.expectEqual(probe.list.count, 5, "records")
    },
    ConformanceCheck("live.whole", "States that many writers make are never torn, and never go back.") { trial in
      let store = try trial.open(Trial.freshName(), [Twin.recordType])
      let probes = [
        Query<Twin>(), Query<Twin> { $0.rank >= 3 && !$0.isDone }, Query<Twin>().sorted(by: \.rank, descending: true),
      ].map { trial.probe(store, $0) { Twin.tear(in: $0) } }
      let window = trial.probe(store, Query<Twin>().sorted(by: \.rank).limit(12))
      let consumers = Consumers(list: probes + [window])
      let writersLeft = Guarded(3)
      try Threads.run(4) { index in
        if index == 3 {
          while writersLeft.withLock({ $0 }) > 0 {
            for probe in consumers.list { try probe.take() }
          }
          return
        }
        defer { writersLeft.withLock { $0 -= 1 } }
        var script = TwinScript(writer: index, seed: 5)
        for _ in 0..<60 {
          let changes = script.next()
          try store.write { try TwinScript.make(changes, of: index, in: &$0) }
        }
      }
      for probe in consumers.list { try probe.settle() }
    },
    ConformanceCheck("live.oneRead", "All live queries of a store share one reading of the history, of what is new.") {
      trial in
      let store = try trial.open(with: NoteWorld.notes(200))
      let probes = (0..<5).map { rank in trial.probe(store, Query<Note> { $0.rank >= rank }.sorted(by: \.text).limit(9))
      }
      for probe in probes { try probe.settle() }
      let (reads, fetches) = (store.observer.counters.historyReads, probes.map(\.subscription.counters))
      let commits = 20
      for count in 0..<commits {
        try store.write { try $0.insert(NoteWorld.note("A\(count)", rank: 9)) }
        for probe in probes { try probe.settle() }
      }
      let added = store.observer.counters.historyReads - reads
      try trial.expect(added <= commits, "\(commits) commits were read \(added) times")
      for (probe, before) in zip(probes, fetches) {
        let after = probe.subscription.counters
        try trial.expectEqual(after.fullFetches, before.fullFetches, "whole fetches after the first")
        let rows = after.rowsFetched - before.rowsFetched
        try trial.expect(rows <= 3 * commits, "\(rows) rows were fetched for \(commits) insertions")
      }
    },
    ConformanceCheck("live.quiet", "Reading, and being idle, make a live query do nothing.") { trial in
      let store = try trial.open(with: NoteWorld.notes(100))
      let probe = trial.probe(store, Query<Note>().sorted(by: \.rank).limit(10))
      try probe.settle()
      let began = Monotonic.now
      let before = (store.observer.counters, probe.subscription.counters)
      for _ in 0..<200 { _ = try store.read { try $0.fetch(Query<Note> { $0.rank == 1 }) } }
      for _ in 0..<20 { try store.write { _ in } }
      // Now and then a look is allowed, one for each write, and a few for what was going on at the beginning.
      let after = (store.observer.counters, probe.subscription.counters)
      let halfSeconds = Int((Monotonic.now - began) / 500_000_000) + 1
      let checks = after.0.checks - before.0.checks
      try trial.expect(checks <= 20 + 12 * halfSeconds, "\(checks) checks while nothing changed")
      try trial.expectEqual(after.0.historyReads, before.0.historyReads, "readings of the history")
      try trial.expectEqual(after.1, before.1, "what the live query has fetched")
      try trial.expectEqual(probe.ringCount, 1, "calls")
    },
    ConformanceCheck("live.ends", "A live query that is over costs nothing, and its store can go.") { trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let probe = trial.probe(store, Query<Note>())
      try probe.settle()
      probe.subscription.cancel()
      let rings = probe.ringCount
      let turns = store.observer.counters.turns
      for _ in 0..<20 { try store.write { try $0.insert(NoteWorld.note()) } }
      try trial.expectEqual(store.observer.counters.turns, turns, "turns after the last live query was cancelled")
      try trial.expectEqual(probe.ringCount, rings, "calls after it was cancelled")
      try trial.expect(try probe.subscription.take() == nil, "it has something to take")
      // One that comes later sees everything.
      let next = trial.probe(store, Query<Note>())
      try next.settle()
      try trial.expectEqual(next.list.count, 23, "records")
    },
    ConformanceCheck(
      "live.sequence", "A live query is a sequence: its states one after the other, until it is cancelled."
    ) { trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let counts = EventLog<Int>()
      let isOver = EventLog<Bool>()
      let executor = ThreadExecutor()
      defer { withExtendedLifetime(executor) {} }
      let task = executor.run {
        do {
          for try await update in store.live(Query<Note>().sorted(by: \.rank)) { counts.append(update.items.count) }
          isOver.append(true)
        } catch { isOver.append(false) }
      }
      try trial.expect(counts.wait(secondsMax: trial.subject.patienceSeconds) { $0.last == 3 }, "no first state")
      try store.write { try $0.insert(NoteWorld.note()) }
      try trial.expect(
        counts.wait(secondsMax: trial.subject.patienceSeconds) { $0.last == 4 }, "no second state: \(counts.events)")
      task.cancel()
      try trial.expect(
        isOver.wait(secondsMax: trial.subject.patienceSeconds) { $0 == [true] }, "it does not end: \(isOver.events)")
      let turns = store.observer.counters.turns
      try store.write { try $0.insert(NoteWorld.note()) }
      try trial.expectEqual(store.observer.counters.turns, turns, "turns after it was cancelled")
    },
    ConformanceCheck("live.reload", "Reloading is answered, and publishes nothing when there is nothing new.") {
      trial in
      let store = try trial.open(with: NoteWorld.notes(30))
      let probe = trial.probe(store, Query<Note>().sorted(by: \.rank).limit(10))
      try probe.settle()
      let fetches = probe.subscription.counters.fullFetches
      let answers = EventLog<Bool>()
      let subscription = probe.subscription
      let executor = ThreadExecutor()
      defer { withExtendedLifetime(executor) {} }
      _ = executor.run {
        do {
          try await subscription.reload()
          answers.append(true)
        } catch { answers.append(false) }
      }
      try trial.expect(
        answers.wait(secondsMax: trial.subject.patienceSeconds) { $0 == [true] }, "no answer: \(answers.events)")
      let after = probe.subscription.counters.fullFetches
      try trial.expect(after > fetches, "nothing was fetched")
      try trial.expectEqual(try probe.take().count, 0, "publications")
    },
    ConformanceCheck("live.handles", "A live query sees the commits of another handle of its store.") { trial in
      guard trial.subject.capabilities.isShared else { return }
      let (watched, writer) = (try trial.open(), try trial.open())
      let probe = trial.probe(watched, Query<Note>().sorted(by: \.text))
      try probe.settle()
      for count in 0..<30 {
        try writer.write { try $0.insert(NoteWorld.note("number \(count)")) }
        try probe.wait("the commit of another handle") { $0.count == count + 1 }
      }
      try probe.settle()
    },
  ]

  private static func insert(_ note: Note, _ transaction: any EngineWriteTransaction) throws {
    try transaction.insert(Note.recordType) { row in
      for column in Note.columns { note.value(of: column).encode(into: &row) }
    }
  }
}

/// Consumers that are handed to the one thread that uses them meanwhile.
private struct Consumers<R: TransparentRecord>: @unchecked Sendable {
  let list: [LiveProbe<R>]
}

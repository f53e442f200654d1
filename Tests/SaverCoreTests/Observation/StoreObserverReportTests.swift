import Foundation
import Testing

@testable import SaverCore

/// What clients are told about the time between two snapshots.
@Suite struct StoreObserverReportTests {
  private let subject = ObserverSubject()
  private var engine: FakeEngine { subject.engine }
  private var source: FakeWakeSource { subject.source }

  @Test func nothingRunsBeforeTheFirstClient() {
    subject.observer.committed()
    #expect(!source.isStarted)
    #expect(source.pending.isEmpty)
    #expect(engine.state.withLock { $0.watchers } == 0)
  }

  @Test func aClientBeginsInTheNextTurn() {
    engine.commit(("note", UUID(), .insert))
    let client = RecordingClient()
    subject.observer.add(client)
    #expect(source.isStarted)
    #expect(source.pending == .request)
    #expect(client.calls.isEmpty)
    source.take()
    #expect(client.take() == ["begin 1", "publish"])
    source.take(.commit)
    #expect(client.take() == [])
  }

  @Test func aCommitOfThisProcessWakes() {
    _ = subject.begun()
    subject.observer.committed()
    #expect(source.pending == .commit)
  }

  @Test func changesAreRead() {
    let client = subject.begun()
    let ids = (0..<3).map { _ in UUID() }
    engine.commit(("note", ids[0], .insert))
    engine.commit(("note", ids[1], .update), ("note", ids[0], .delete), ("tag", ids[2], .insert))
    source.take(.commit)
    #expect(client.take() == ["3 changed 4", "publish"])
    #expect(Set(client.changed) == Set(ids))
    #expect(subject.observer.counters.historyReads == 1)
    source.take(.commit)
    #expect(client.take() == [])
    #expect(subject.observer.counters.historyReads == 1)
  }

  // MARK: Rehearsals

  @Test func aCommitThatIsBeingWrittenIsRehearsedForWithTheNewestChange() {
    let (client, id) = (subject.begun(), UUID())
    engine.commit(("note", UUID(), .insert), ("note", id, .update))
    source.take(.commit)
    #expect(client.take() == ["2 changed 2", "publish"])
    subject.clock.advance(milliseconds: 1)
    source.take(.stirring)
    #expect(client.take() == ["rehearse"] && client.changed == [id])
    source.take(.stirring)
    #expect(client.take() == [])
    #expect(subject.observer.counters.rehearsals == 1 && subject.observer.counters.historyReads == 1)
    // It is a check that tells.
    engine.commit(("note", id, .delete))
    source.take([.stirring, .commit])
    #expect(client.take() == ["1 changed 3", "publish"])
  }

  @Test func whatIsVisibleAlreadyIsNotRehearsedFor() {
    let client = subject.begun()
    engine.commit(("note", UUID(), .insert))
    source.take(.commit)
    _ = client.take()
    engine.commit(("note", UUID(), .insert))
    subject.clock.advance(milliseconds: 1)
    source.take(.stirring)
    #expect(client.take() == [] && subject.observer.counters.rehearsals == 1)
    source.take(.commit)
    #expect(client.take() == ["1 changed 2", "publish"])
  }

  @Test func nothingIsRehearsedForClientsThatShowNothing() {
    let client = subject.begun()
    client.fail(ObserverSubject.busy)
    engine.commit(("note", UUID(), .insert))
    source.take(.commit)
    #expect(client.take() == ["1 changed 1 fails"])
    let new = RecordingClient()
    subject.observer.add(new)
    subject.clock.advance(milliseconds: 1)
    source.take(.stirring)
    #expect(!client.calls.contains("rehearse") && !new.calls.contains("rehearse"))
  }

  @Test func aRehearsalThatCannotReadIsNoFailure() {
    let client = subject.begun()
    engine.commit(("note", UUID(), .insert))
    source.take(.commit)
    _ = client.take()
    subject.clock.advance(milliseconds: 1)
    engine.set { $0.readErrors = [ObserverSubject.busy] }
    source.take(.stirring)
    engine.set { $0.changesError = ObserverSubject.inputOutput }
    subject.clock.advance(milliseconds: 1)
    source.take(.stirring)
    #expect(client.take() == [] && subject.observer.counters.failures == 0)
    #expect(subject.observer.counters.rehearsals == 2)
  }

  // MARK: Changes

  @Test func theHistoryIsReadOnceForAllClients() {
    let clients = (0..<3).map { _ in subject.begun() }
    engine.commit(("note", UUID(), .insert))
    source.take(.commit)
    for client in clients { #expect(client.take() == ["1 changed 1", "publish"]) }
    #expect(subject.observer.counters.historyReads == 1)
  }

  @Test func aNewClientBeginsInTheSnapshotThatTheOthersAreBroughtTo() {
    let old = subject.begun()
    let new = RecordingClient()
    subject.observer.add(new)
    engine.commit(("note", UUID(), .insert))
    source.take()
    #expect(old.take() == ["1 changed 1", "publish"])
    #expect(new.take() == ["begin 1", "publish"])
  }

  @Test func anotherRevisionOfTheSameHeadIsUnknown() {
    let client = subject.begun()
    engine.set { $0.head.revision += 1 }
    source.take(.commit)
    #expect(client.take() == ["unknown 0", "publish"])
    source.take(.commit)
    #expect(client.take() == [])
  }

  @Test func unknownChangesAreComparedWhenTheyComeAndWhenTheyGo() {
    let client = subject.begun()
    engine.set { $0.head.hasUnknownChanges = true }
    source.take(.commit)
    #expect(client.take() == ["unknown 0", "publish"])
    source.take(.commit)
    #expect(client.take() == [])
    // More of them.
    engine.set { $0.head.revision += 1 }
    source.take(.commit)
    #expect(client.take() == ["unknown 0", "publish"])
    // The head moves while they are there: the history does not tell of all that is new.
    engine.commit(("note", UUID(), .insert))
    source.take(.commit)
    #expect(client.take() == ["unknown 1", "publish"])
    // The next writer has marked them, and something else with it.
    engine.commit(("note", UUID(), .insert))
    engine.set { $0.head.hasUnknownChanges = false }
    source.take(.commit)
    #expect(client.take() == ["unknown 2", "publish"])
    engine.commit(("note", UUID(), .insert))
    source.take(.commit)
    #expect(client.take() == ["1 changed 3", "publish"])
  }

  @Test func anUnknownEntryIsUnknown() {
    let client = subject.begun()
    engine.commit(
      ("note", UUID(), .insert), ("", UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), .unknown),
      ("note", UUID(), .insert))
    source.take(.commit)
    #expect(client.take() == ["unknown 3", "publish"])
  }

  @Test(arguments: [(1_000, "1000 changed 1000"), (1_001, "unknown 1001")])
  func manyChangesAreUnknown(_ count: Int, _ call: String) {
    let client = subject.begun()
    for _ in 0..<count { engine.commit(("note", UUID(), .insert)) }
    source.take(.commit)
    #expect(client.take() == [call, "publish"])
  }

  @Test func manyChangesOfFewRowsAreFew() {
    let client = subject.begun()
    let id = UUID()
    for _ in 0..<2_000 { engine.commit(("note", id, .update)) }
    source.take(.commit)
    #expect(client.take() == ["1 changed 2000", "publish"])
  }

  @Test func aTrimmedPlaceIsUnknown() {
    engine.commit(("note", UUID(), .insert))
    let client = subject.begun()
    for _ in 0..<9 { engine.commit(("note", UUID(), .insert)) }
    engine.set {
      $0.oldest = 5
      $0.changes.removeAll { $0.sequence < 5 }
    }
    source.take(.commit)
    #expect(client.take() == ["unknown 10", "publish"])
  }

  @Test func anEarlierStateIsAReset() {
    for _ in 0..<9 { engine.commit(("note", UUID(), .insert)) }
    let client = subject.begun()
    engine.set {
      $0.head.token = HistoryToken(store: FakeEngine.store, sequence: 4, check: 28)
      $0.head.revision += 1
    }
    source.take(.commit)
    #expect(client.take() == ["reset otherBranch 4", "publish"])
  }

  @Test func anotherBranchIsAReset() {
    engine.commit(("note", UUID(), .insert))
    let client = subject.begun()
    engine.commit(("note", UUID(), .insert))
    engine.set { $0.checks[1] = 99 }
    source.take(.commit)
    #expect(client.take() == ["reset otherBranch 2", "publish"])
    // Also with the same number.
    engine.set {
      $0.head.token.check = 1
      $0.checks[2] = 1
    }
    source.take(.commit)
    #expect(client.take() == ["reset otherBranch 2", "publish"])
  }

  @Test func anotherStoreIsAReset() {
    let client = subject.begun()
    engine.set { $0.head.token = HistoryToken(store: UUID(), sequence: 0, check: 0) }
    source.take(.commit)
    #expect(client.take() == ["reset otherStore 0", "publish"])
  }

  @Test func noSnapshotIsHeldBetweenTurns() {
    let client = subject.begun()
    client.act { [engine] call in
      let open = engine.state.withLock { $0.readsAtOnce }
      #expect(open == (call == "publish" ? 0 : 1), "\(call)")
    }
    engine.commit(("note", UUID(), .insert))
    source.take(.commit)
    #expect(client.take() == ["1 changed 1", "publish"])
    #expect(engine.state.withLock { $0.readsAtOnce } == 0)
  }

  @Test func stirringIsFollowedByChecksUntilTheCommitIsVisible() {
    let client = subject.begun()
    subject.clock.advance(milliseconds: 200)
    source.take(.time)
    source.take(.stirring)
    let checks = subject.observer.counters.checks
    engine.commit(("note", UUID(), .insert))
    source.take(.stirring)
    #expect(client.take() == [])
    #expect(subject.observer.counters.checks == checks)
    subject.clock.advance(milliseconds: 1)
    source.take(.time)
    #expect(client.take() == ["1 changed 1", "publish"])
  }

  @Test func aTurnSaysWhenTheNextIsDue() throws {
    _ = subject.begun()
    subject.clock.advance(milliseconds: 499)
    let deadline = try #require(source.take(.time))
    #expect(deadline.remainingNanoseconds <= 1_000_000)
    subject.clock.advance(milliseconds: 1)
    let next = try #require(source.take(.time))
    #expect(next.remainingNanoseconds <= 500_000_000)
    #expect(next.remainingNanoseconds > 1_000_000)
  }
}

import Foundation
import Testing

@testable import SaverCore

/// Checks that fail, places that change, and what clients hear of it.
@Suite struct StoreObserverFailureTests {
  private let subject = ObserverSubject()
  private var engine: FakeEngine { subject.engine }
  private var source: FakeWakeSource { subject.source }

  @Test func aCheckThatFailsIsTriedAgain() {
    let client = subject.begun()
    engine.commit(("note", UUID(), .insert))
    engine.set { $0.readErrors = [ObserverSubject.busy, ObserverSubject.busy] }
    source.take(.commit)
    #expect(client.take() == [])
    subject.clock.advance(milliseconds: 1)
    source.take(.time)
    #expect(client.take() == [])
    subject.clock.advance(milliseconds: 2)
    source.take(.time)
    #expect(client.take() == ["1 changed 1", "publish"])
    #expect(subject.observer.counters.failures == 2)
  }

  @Test func aHistoryThatCannotBeReadIsReadAgain() {
    let client = subject.begun()
    engine.commit(("note", UUID(), .insert))
    engine.set { $0.changesError = ObserverSubject.inputOutput }
    source.take(.commit)
    #expect(client.take() == [])
    subject.clock.advance(milliseconds: 1)
    source.take(.time)
    #expect(client.take() == ["1 changed 1", "publish"])
  }

  @Test func aStoreThatCannotBeOpenedAtFirst() {
    engine.set { $0.watcherErrors = [ObserverSubject.busy] }
    let client = RecordingClient()
    subject.observer.add(client)
    source.take()
    #expect(client.take() == [])
    subject.clock.advance(milliseconds: 1)
    source.take(.time)
    #expect(client.take() == ["begin 0", "publish"])
  }

  @Test func failuresInARowAreTold() {
    let client = subject.begun()
    engine.set { $0.readErrors = Array(repeating: ObserverSubject.inputOutput, count: 7) }
    for count in 1...7 {
      source.take(.commit)
      #expect(client.take() == (count == 5 ? ["unavailable: inputOutput"] : []), "failure \(count)")
    }
    // A client that comes meanwhile hears it too.
    engine.set { $0.readErrors = [ObserverSubject.inputOutput] }
    let late = RecordingClient()
    subject.observer.add(late)
    source.take()
    #expect(late.take() == ["unavailable: inputOutput"])
    #expect(client.take() == [])
    guard case .unavailable = subject.observer.status else {
      Issue.record("\(subject.observer.status)")
      return
    }

    source.take(.commit)
    #expect(client.take() == ["live"])
    #expect(late.take() == ["begin 0", "publish", "live"])
  }

  @Test func aClientThatCannotReadIsServedAgain() {
    let client = subject.begun()
    let other = subject.begun()
    engine.commit(("note", UUID(), .insert))
    client.fail(ObserverSubject.busy, ObserverSubject.busy)
    source.take(.commit)
    #expect(client.take() == ["1 changed 1 fails"])
    #expect(other.take() == ["1 changed 1", "publish"])
    subject.clock.advance(milliseconds: 1)
    source.take(.time)
    #expect(client.take() == ["unknown 1 fails"])
    subject.clock.advance(milliseconds: 2)
    source.take(.time)
    #expect(client.take() == ["unknown 1", "publish"])
    #expect(other.take() == [])
    engine.commit(("note", UUID(), .insert))
    source.take(.commit)
    #expect(client.take() == ["1 changed 2", "publish"])
  }

  @Test func aFirstFetchThatFailsIsMadeAgain() {
    let client = RecordingClient()
    client.fail(ObserverSubject.busy)
    subject.observer.add(client)
    source.take()
    #expect(client.take() == ["begin 0 fails"])
    subject.clock.advance(milliseconds: 1)
    source.take(.time)
    #expect(client.take() == ["begin 0", "publish"])
  }

  @Test func aResetThatAClientHasMissedIsNamedLater() {
    let client = subject.begun()
    engine.set { $0.head.token = HistoryToken(store: UUID(), sequence: 0, check: 0) }
    client.fail(ObserverSubject.busy)
    source.take(.commit)
    #expect(client.take() == ["reset otherStore 0 fails"])
    engine.set { $0.head.revision += 1 }
    source.take(.commit)
    #expect(client.take() == ["reset otherStore 0", "publish"])
  }

  @Test func requestsAreAnsweredInASnapshot() {
    let client = subject.begun()
    engine.commit(("note", UUID(), .insert))
    let flag = Flag()
    subject.observer.request(client) { [client, engine] _, token in
      #expect(token.sequence == 1)
      #expect(client.calls == ["1 changed 1"])
      #expect(engine.state.withLock { $0.readsAtOnce } == 1)
      flag.set()
    }
    #expect(source.pending == .request)
    source.take()
    #expect(flag.isSet)
    #expect(client.take() == ["1 changed 1", "publish"])
    subject.observer.request(client) { _, _ in }
    source.take()
    #expect(client.take() == ["publish"])
  }

  /// Who asks while a turn is under way, having committed something, is not answered from a snapshot without that.
  @Test func requestsAreAnsweredInASnapshotOfTheirOwnTime() {
    let client = subject.begun()
    let answers = Counter()
    engine.commit(("note", UUID(), .insert))
    client.act { [client, engine, observer = subject.observer] call in
      guard call == "1 changed 1" else { return }
      engine.commit(("note", UUID(), .insert))
      observer.request(client) { _, token in
        #expect(token.sequence == 2)
        answers.set(answers.value + 1)
      }
    }
    source.take(.commit)
    #expect(answers.value == 0)
    #expect(client.take() == ["1 changed 1", "publish"])
    #expect(source.pending == .request)
    source.take()
    #expect(answers.value == 1)
    #expect(client.take() == ["1 changed 2", "publish"])
  }

  @Test func requestsWaitUntilTheyCanBeAnswered() {
    let client = RecordingClient()
    subject.observer.add(client)
    let answers = Counter()
    let fails = Flag()
    subject.observer.request(client) { _, _ in
      if !fails.isSet {
        fails.set()
        throw ObserverSubject.busy
      }
      answers.set(answers.value + 1)
    }
    engine.set { $0.readErrors = [ObserverSubject.busy] }
    client.fail(ObserverSubject.busy)
    // The store cannot be read, then the client cannot begin, then the request fails.
    for expected in [0, 0, 0, 1, 1] {
      source.take(.commit)
      #expect(answers.value == expected)
    }
    #expect(client.take() == ["begin 0 fails", "begin 0", "publish", "publish"])
  }

  @Test func requestsOfOneWhoIsNotThereAreNotAnswered() {
    let client = subject.begun()
    let other = subject.begun()
    subject.observer.request(RecordingClient()) { _, _ in Issue.record("not there") }
    subject.observer.request(client) { _, _ in Issue.record("has left") }
    subject.observer.remove(client)
    source.take(.commit)
    #expect(client.take() == [])
    #expect(other.take() == [])
  }

  // MARK: Places

  @Test func theStoreIsLookedAfter() {
    _ = subject.begun()
    #expect(engine.state.withLock { $0.looks } == 0)
    source.take(.place)
    source.take(.overflow)
    source.take(.commit)
    #expect(engine.state.withLock { $0.looks } == 2)
    subject.clock.advance(milliseconds: 500)
    source.take(.time)
    #expect(engine.state.withLock { $0.looks } == 3)
  }

  @Test func aReplacedStoreIsComparedInFull() {
    engine.commit(("note", UUID(), .insert))
    let client = subject.begun()
    engine.set { $0.places = [.success(.replaced)] }
    source.take(.place)
    #expect(client.take() == ["unknown 1", "publish"])
    #expect(source.renewals == 1)
    // Also if its history goes on from there.
    engine.commit(("note", UUID(), .insert))
    engine.set { $0.places = [.success(.replaced)] }
    source.take(.place)
    #expect(client.take() == ["unknown 2", "publish"])
    engine.set {
      $0.places = [.success(.replaced)]
      $0.head.token = HistoryToken(store: FakeEngine.store, sequence: 1, check: 7)
    }
    source.take(.place)
    #expect(client.take() == ["reset otherBranch 1", "publish"])
    #expect(source.renewals == 3)
  }

  @Test func aReplacementIsNotForgottenWhenItCannotBeReadAtOnce() {
    let client = subject.begun()
    engine.set {
      $0.places = [.success(.replaced)]
      $0.readErrors = [ObserverSubject.busy]
    }
    source.take(.place)
    #expect(client.take() == [])
    subject.clock.advance(milliseconds: 1)
    source.take(.time)
    #expect(client.take() == ["unknown 0", "publish"])
  }

  @Test func whatCannotBeOpenedIsLookedAtAgain() {
    let client = subject.begun()
    engine.set { $0.places = [.failure(ObserverSubject.inputOutput), .success(.replaced)] }
    source.take(.place)
    #expect(client.take() == [])
    subject.clock.advance(milliseconds: 1)
    source.take(.time)
    #expect(client.take() == ["unknown 0", "publish"])
  }

  @Test func aMissingStoreIsToldAtOnceAndWhenItIsBack() {
    let client = subject.begun()
    engine.set { $0.places = [.success(.missing), .success(.missing), .success(.unchanged)] }
    source.take(.place)
    #expect(client.take() == ["unavailable: noSuchStore"])
    source.take(.place)
    #expect(client.take() == [])
    source.take(.place)
    #expect(client.take() == ["live"])
    #expect(source.renewals == 1)
  }

  @Test func degradationIsTold() {
    source.degrade("no events")
    let client = RecordingClient()
    subject.observer.add(client)
    source.take()
    #expect(client.take() == ["begin 0", "publish", "degraded: no events"])
    // The slow check comes more often.
    let looks = engine.state.withLock { $0.looks }
    subject.clock.advance(milliseconds: 100)
    source.take(.time)
    #expect(engine.state.withLock { $0.looks } == looks + 1)
    source.degrade(nil)
    source.take(.commit)
    #expect(client.take() == ["live"])
  }
}

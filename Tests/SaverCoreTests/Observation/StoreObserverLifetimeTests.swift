import Foundation
import SaverMemory
import SaverTestKit
import Synchronization
import Testing

@testable import SaverCore

/// Who comes, who goes, and what is left.
@Suite struct StoreObserverLifetimeTests {
  @Test func theLastClientEndsTheTurns() {
    let subject = ObserverSubject()
    let first = subject.begun()
    let second = subject.begun()
    subject.observer.remove(first)
    subject.observer.remove(first)
    #expect(!subject.source.isStopped)
    subject.observer.remove(second)
    #expect(subject.source.isStopped)
    #expect(subject.observer.counters.checks == 2)
    subject.observer.committed()
    #expect(subject.source.pending.isEmpty)
  }

  @Test func theLastTurnIsWaitedFor() {
    let subject = ObserverSubject()
    let client = subject.begun()
    let waited = Atomic(0)
    client.act { call in
      guard call == "publish" else { return }
      subject.observer.remove(client)
      // This is the turn.
      let limit = Deadline(milliseconds: 20)
      subject.observer.waitForLastTurn(until: limit)
      if limit.hasPassed { waited.add(1, ordering: .relaxed) }
    }
    subject.engine.commit(("note", UUID(), .insert))
    subject.source.take(.commit)
    #expect(waited.load(ordering: .relaxed) == 1)
    let limit = Deadline(milliseconds: 60_000)
    subject.observer.waitForLastTurn(until: limit)
    #expect(!limit.hasPassed)
    client.act(nil)
  }

  @Test func aClientIsRemovedInItsOwnTurn() {
    for call in ["begin 0", "1 changed 1", "publish"] {
      let subject = ObserverSubject()
      let client = RecordingClient()
      let other = RecordingClient()
      client.act { if $0 == call { subject.observer.remove(client) } }
      subject.observer.add(client)
      subject.observer.add(other)
      subject.source.take()
      subject.engine.commit(("note", UUID(), .insert))
      subject.source.take(.commit)
      #expect(client.take().last == call)
      #expect(other.take() == ["begin 0", "publish", "1 changed 1", "publish"])
      client.act(nil)
    }
  }

  @Test func aClientRemovesAnotherInATurn() {
    let subject = ObserverSubject()
    let first = subject.begun()
    let second = subject.begun()
    first.act { if $0 == "1 changed 1" { subject.observer.remove(second) } }
    subject.engine.commit(("note", UUID(), .insert))
    subject.source.take(.commit)
    #expect(first.take() == ["1 changed 1", "publish"])
    #expect(second.take() == [])
    first.act { if $0 == "publish" { subject.observer.remove(first) } }
    subject.engine.commit(("note", UUID(), .insert))
    subject.source.take(.commit)
    #expect(subject.source.isStopped)
    first.act(nil)
  }

  @Test func everythingIsFreedWithTheLastClientAndTheStore() {
    weak var engine: FakeEngine?
    weak var observer: StoreObserver?
    weak var client: RecordingClient?
    do {
      let subject = ObserverSubject()
      engine = subject.engine
      observer = subject.observer
      let begun = subject.begun()
      client = begun
      subject.observer.remove(begun)
    }
    #expect(engine == nil)
    #expect(observer == nil)
    #expect(client == nil)
  }

  @Test func aForgottenClientIsFreedWithTheStore() {
    weak var client: RecordingClient?
    let source: FakeWakeSource
    do {
      let subject = ObserverSubject()
      client = subject.begun()
      source = subject.source
      #expect(client != nil)
    }
    #expect(client == nil)
    #expect(source.isStopped)
  }

  /// The test lets go of everything while a turn runs, so that the turn's thread is the last to hold it.
  @Test func theLastReleaseIsOnTheThreadOfTurns() throws {
    final class Held: ObserverClient {
      let log: EventLog
      let entered: DispatchSemaphore
      let goesOn: DispatchSemaphore
      init(_ log: EventLog, _ entered: DispatchSemaphore, _ goesOn: DispatchSemaphore) {
        self.log = log
        self.entered = entered
        self.goesOn = goesOn
      }
      deinit { log.note("released on \(pthread_self())") }
      func begin(_ transaction: borrowing ReadTransaction, at token: HistoryToken) {
        entered.signal()
        goesOn.wait()
      }
      func maintain(_ report: ChangeReport, _ transaction: borrowing ReadTransaction, at token: HistoryToken) {}
      func publish() { Issue.record("published after it was removed") }
      func statusChanged(_ status: ObservationStatus) {}
    }
    let log = EventLog()
    let entered = DispatchSemaphore(value: 0)
    let goesOn = DispatchSemaphore(value: 0)
    weak var observer: StoreObserver?
    do {
      let store = try memoryStore()
      observer = store.observer
      let client = Held(log, entered, goesOn)
      store.observer.add(client)
      #expect(entered.wait(timeout: .now() + 60) == .success)
      store.observer.remove(client)
    }
    // The turn holds the client, and nothing of the observer's that the store had.
    #expect(log.all.isEmpty)
    #expect(observer == nil)
    goesOn.signal()
    log.wait { !$0.isEmpty }
    #expect(log.all != ["released on \(pthread_self())"])
  }

  // MARK: Nothing in between

  @Test func aCommitBetweenListeningAndTheFirstFetchIsSeen() throws {
    let store = try memoryStore()
    let log = EventLog()
    let client = LoggingClient(log)
    var hooks = StoreObserver.Hooks()
    hooks.didStartListening = { Self.write(to: store) }
    store.observer.hooks = hooks
    store.observer.add(client)
    log.wait { $0.contains("begin: 1 rows") || $0.contains("changes: 1 rows") }
    store.observer.remove(client)
    store.observer.hooks = StoreObserver.Hooks()
  }

  @Test func aCommitBetweenTheFirstFetchAndTheFirstCheckIsSeen() throws {
    let store = try memoryStore()
    let log = EventLog()
    let client = LoggingClient(log)
    var hooks = StoreObserver.Hooks()
    hooks.didBegin = { _ in Self.write(to: store) }
    store.observer.hooks = hooks
    store.observer.add(client)
    log.wait { $0 == ["begin: 0 rows", "changes: 1 rows"] }
    store.observer.remove(client)
    store.observer.hooks = StoreObserver.Hooks()
  }

  @Test func everyCommitIsSeenInTheEnd() throws {
    let store = try memoryStore()
    let log = EventLog()
    let client = LoggingClient(log)
    store.observer.add(client)
    let threads = (0..<4).map { _ in
      RunningThread { for _ in 0..<100 { Self.write(to: store) } }
    }
    for thread in threads { thread.join() }
    log.wait { $0.last?.hasSuffix(": 400 rows") == true }
    store.observer.remove(client)
  }

  @Test func clientsComeAndGoOnManyThreads() throws {
    let store = try memoryStore()
    let threads = (0..<4).map { _ in
      RunningThread {
        for _ in 0..<200 {
          let log = EventLog()
          let client = LoggingClient(log)
          store.observer.add(client)
          Self.write(to: store)
          if Bool.random() { log.wait { !$0.isEmpty } }
          store.observer.remove(client)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(store.observer.counters.turns > 0)
    guard case .live = store.observationStatus else {
      Issue.record("\(store.observationStatus)")
      return
    }
  }

  private static let operation = WriteOperation()
  /// One operation, and ids that nobody contends for: what is tested is who is woken.
  private static func write(to store: Store) {
    do {
      try store.write(operation) { try $0.insert(Note(id: UUID(), text: "a note")) }
    } catch {
      Issue.record(error)
    }
  }

  private func memoryStore() throws -> Store {
    try MemoryBackend.open(
      StoreLocation(base: "x"), types: [Note.schema.type], configuration: MemoryBackend.Configuration())
  }
}

/// Counts the rows each time that it is called.
private final class LoggingClient: ObserverClient {
  private let log: EventLog
  init(_ log: EventLog) { self.log = log }

  func begin(_ transaction: borrowing ReadTransaction, at token: HistoryToken) throws {
    log.note("begin: \(try transaction.count(Query<Note>())) rows")
  }
  func maintain(_ report: ChangeReport, _ transaction: borrowing ReadTransaction, at token: HistoryToken) throws {
    if case .changes = report {
      log.note("changes: \(try transaction.count(Query<Note>())) rows")
    } else {
      log.note("\(report): \(try transaction.count(Query<Note>())) rows")
    }
  }
  func publish() {}
  func statusChanged(_ status: ObservationStatus) {}
}

import FoundationEssentials
import SaverCore

/// A live query of a ``ChildProgram``: a thread that takes what is published, holds it to the promise, and says so.
///
///     published SHAPE initial|change|reset:REASON TOKEN FINGERPRINT COUNT INSTANT
///     status SHAPE live|degraded|unavailable CODE
///     wrong SHAPE …
final class ChildWatch: Sendable {
  let shape: WatchShape
  private let asked = Mailbag()

  /// What the thread is to do besides waiting.
  private final class Mailbag: @unchecked Sendable {
    private let monitor = Monitor()
    private let changed = Monitor.Condition()

    // MARK: Mutable state
    // Guarded by `monitor`.
    private var hasRung = false
    private var isStalled = false
    private var isOver = false
    private var questions = 0

    struct Work {
      var takes = false
      var answers = 0
    }

    func change(_ change: (inout Bool, inout Bool, inout Bool, inout Int) -> Void) {
      monitor.withLock {
        change(&hasRung, &isStalled, &isOver, &questions)
        changed.signal()
      }
    }

    /// Waits until there is something to do; `nil` when it is over.
    func next() -> Work? {
      monitor.withLock {
        while !isOver, questions == 0, !hasRung || isStalled {
          _ = changed.wait(in: monitor, until: .distantFuture)
        }
        guard !isOver else { return nil }
        defer { questions = 0 }
        let work = Work(takes: hasRung && !isStalled, answers: questions)
        if work.takes { hasRung = false }
        return work
      }
    }
  }

  /// - Parameter isForeign: others write too, who do not keep twins together.
  init(_ store: Store, _ shape: WatchShape, isForeign: Bool) {
    self.shape = shape
    let asked = asked
    let ring: @Sendable () -> Void = { asked.change { hasRung, _, _, _ in hasRung = true } }
    _ = DetachedThread.start {
      if shape == .count {
        Self.follow(CountFollower(store, shape.query, ring), shape, asked)
      } else {
        Self.follow(ListFollower(store, shape, isForeign: isForeign, ring), shape, asked)
      }
      say("unwatched \(shape.rawValue)")
    }
  }

  /// Takes nothing until ``resume()``.
  func stall() { asked.change { _, isStalled, _, _ in isStalled = true } }
  func resume() { asked.change { _, isStalled, _, _ in isStalled = false } }
  /// Says the state that was published last, and what the live query has cost so far:
  /// `shown SHAPE TOKEN FINGERPRINT PUBLICATIONS FULL-FETCHES REFILLS ROWS-FETCHED`.
  func show() { asked.change { _, _, _, questions in questions += 1 } }
  func end() { asked.change { _, _, isOver, _ in isOver = true } }

  private static func follow(_ follower: some Follower, _ shape: WatchShape, _ asked: Mailbag) {
    var shownStatus = "live"
    while let work = asked.next() {
      if work.takes {
        do {
          for publication in try follower.take() {
            say("published \(shape.rawValue) \(publication) \(Monotonic.now)")
          }
        } catch {
          say("wrong \(shape.rawValue) \(error)")
        }
        let status = follower.status
        if status != shownStatus { say("status \(shape.rawValue) \(status)") }
        shownStatus = status
      }
      if work.answers > 0 { say("shown \(shape.rawValue) \(follower.state) \(follower.counters.words)") }
    }
  }
}

/// The consumer of a live query of some kind.
private protocol Follower {
  /// What has been published since, in words.
  func take() throws -> [String]
  var state: String { get }
  var status: String { get }
  var counters: LiveQueryCounters { get }
}

private final class ListFollower: Follower {
  private let probe: LiveProbe<Twin>

  // MARK: Mutable state
  // Owned by the thread that follows.
  private var sections: SectionsProbe<Twin>?

  init(_ store: Store, _ shape: WatchShape, isForeign: Bool, _ ring: @escaping @Sendable () -> Void) {
    if shape == .sections { sections = SectionsProbe { $0.shelf } }
    probe = LiveProbe(
      store, shape.query, comparesFresh: false, keepsUpdates: false,
      invariant: { shape.isWhole && !isForeign ? Twin.tear(in: $0) : nil }, onRing: ring)
  }

  func take() throws -> [String] {
    try probe.take().map { update in
      try sections?.follow(update)
      return "\(update.kind.word) \(update.token) \(Fingerprint.of(update.items)) \(update.items.count)"
    }
  }

  var state: String {
    let token = probe.updates.last?.token.description ?? "-"
    return "\(token) \(Fingerprint.of(probe.list)) \(probe.updateCount)"
  }

  var status: String { probe.subscription.status.words }
  var counters: LiveQueryCounters { probe.subscription.counters }
}

private final class CountFollower: Follower {
  private let subscription: LiveCountSubscription<Twin>

  // MARK: Mutable state
  // Owned by the thread that follows.
  private var last: CountUpdate?
  private var publications = 0

  init(_ store: Store, _ query: Query<Twin>, _ ring: @escaping @Sendable () -> Void) {
    subscription = LiveCountSubscription(store, query, onChange: ring)
  }

  func take() throws -> [String] {
    var taken: [String] = []
    while let update = try subscription.take() {
      if let last, update.kind == .change, update.count == last.count || update.token.sequence < last.token.sequence {
        throw LiveProbe<Twin>.Broken(description: "\(update) after \(last)")
      }
      last = update
      publications += 1
      taken.append("\(update.kind.word) \(update.token) count:\(update.count) \(update.count)")
    }
    return taken
  }

  var state: String { "\(last?.token.description ?? "-") count:\(last?.count ?? -1) \(publications)" }
  var status: String { subscription.status.words }
  var counters: LiveQueryCounters { subscription.counters }
}

extension LiveUpdateKind {
  fileprivate var word: String {
    switch self {
    case .initial: "initial"
    case .change: "change"
    case .reset(let reason): "reset:\(reason.rawValue)"
    }
  }
}

extension LiveQueryCounters {
  fileprivate var words: String { "\(fullFetches) \(refills) \(rowsFetched)" }
}

extension ObservationStatus {
  fileprivate var words: String {
    switch self {
    case .live: "live"
    case .degraded: "degraded"
    case .unavailable(let error): "unavailable \(error.code.rawValue)"
    }
  }
}

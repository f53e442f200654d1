/// When the observer of a store looks: decided from what has happened and from the time, both handed in.
///
/// An event on the store's files says that a commit may be *about* to become visible: a ladder of checks follows it. A
/// slow check stands behind everything. A check that failed is tried again, with growing pauses. Times are nanoseconds on
/// the clock of ``Deadline``.
struct CheckSchedule {
  /// What a turn has to do.
  struct Duty: Equatable {
    var checks = false
    /// Whether the store's path still names the store.
    var looksAfterStore = false
    /// Nothing to see yet, but soon: what a check needs is made ready.
    var rehearses = false
  }

  static let millisecond: Int64 = 1_000_000
  /// After writing to the files began. Not at once: of 300 commits of another program none was visible then, 299 after 1 ms,
  /// and our own writers tell when theirs are; a look in between only keeps the observer from hearing it.
  static let rungs = [1, 5, 20, 100].map { $0 * millisecond }
  static let restartInterval = 5 * millisecond
  static let slowInterval = 500 * millisecond
  static let degradedInterval = 100 * millisecond
  static let retryIntervalMax = 250 * millisecond
  /// For so long after a check the next one finds what it needs in the processor's caches.
  static let rehearsalInterval = millisecond
  /// Between the first rehearsal and the second; then twice as long each time, up to ``rehearsalInterval``: the later ones
  /// find more in place, and most commits are made soon.
  static let firstRehearsalInterval = millisecond / 10

  /// Events do not come: the slow check comes more often.
  var isDegraded = false
  /// How many checks have failed since the last that did not.
  private(set) var failures = 0

  /// When the last ladder began.
  private var ladderStart: Int64
  /// The next rung; none if there is no ladder.
  private var rung = 0
  /// The files were written to again, too soon for a new ladder.
  private var startsAgain = false
  private var lastSlow: Int64
  /// There is none sooner.
  private var nextRehearsal: Int64
  /// What comes between the next rehearsal and the one after it.
  private var rehearsalPause = firstRehearsalInterval
  private var retry: Int64?
  /// A look after the store is due, or has failed.
  private var owesLook = false

  /// Begins with a ladder: what was written before anybody listened may become visible behind the first fetch.
  init(at now: Int64) {
    ladderStart = now
    lastSlow = now
    nextRehearsal = now + Self.rehearsalInterval
  }

  /// What to do in a turn that is taken now.
  mutating func duty(for reasons: WakeReasons, at now: Int64) -> Duty {
    var checks = !reasons.isDisjoint(with: [.commit, .place, .overflow, .request])
    if !reasons.isDisjoint(with: [.place, .overflow]) { owesLook = true }
    if !reasons.isDisjoint(with: [.stirring, .overflow]) { startsAgain = true }
    if startsAgain, now >= ladderStart + Self.restartInterval {
      startsAgain = false
      ladderStart = now
      rung = 0
    }
    while rung < Self.rungs.count, now >= ladderStart + Self.rungs[rung] {
      rung += 1
      checks = true
      // Written to, and nothing has become visible: the writer may have died, and two looks must fit into a second.
      if rung == Self.rungs.count { owesLook = true }
    }
    if now >= lastSlow + slowInterval {
      lastSlow = now
      owesLook = true
      checks = true
    }
    if let retry, now >= retry { checks = true }
    let rehearses = !checks && reasons.contains(.stirring) && now >= nextRehearsal
    if checks {
      nextRehearsal = now + Self.rehearsalInterval
      rehearsalPause = Self.firstRehearsalInterval
    } else if rehearses {
      nextRehearsal = now + rehearsalPause
      rehearsalPause = min(2 * rehearsalPause, Self.rehearsalInterval)
    }
    return Duty(checks: checks, looksAfterStore: checks && owesLook, rehearses: rehearses)
  }

  /// The check of a turn has worked.
  ///
  /// - Parameter isNew: there was something new.
  mutating func succeeded(_ reasons: WakeReasons, isNew: Bool) {
    failures = 0
    retry = nil
    owesLook = false
    // The writing was this commit's.
    if isNew, reasons.contains(.commit), !reasons.contains(.stirredAgain) {
      rung = Self.rungs.count
      startsAgain = false
    }
  }

  mutating func failed(at now: Int64) {
    retry = now + min(Self.millisecond << min(failures, 16), Self.retryIntervalMax)
    failures += 1
  }

  /// When the next turn is due at the latest.
  var next: Int64 {
    var next = lastSlow + slowInterval
    if rung < Self.rungs.count { next = min(next, ladderStart + Self.rungs[rung]) }
    if startsAgain { next = min(next, ladderStart + Self.restartInterval) }
    if let retry { next = min(next, retry) }
    return next
  }

  private var slowInterval: Int64 { isDegraded ? Self.degradedInterval : Self.slowInterval }
}

import FoundationEssentials
import SaverCore

/// A consumer of a live query that holds each publication to the promise: it is the result of one snapshot, its
/// difference leads there from the one before, and it is not older.
///
/// It takes what there is when it is asked to, and then all of it: until then it is a consumer that is slow.
/// Used by one thread at a time.
final class LiveProbe<R: TransparentRecord> {
  struct Broken: Error, CustomStringConvertible {
    var description: String
  }

  let store: Store
  let query: Query<R>
  let subscription: LiveListSubscription<R>
  private let rings: EventLog<Void>
  /// What must hold of every state.
  private let invariant: ([R]) -> String?
  private let comparesFresh: Bool
  private let keepsUpdates: Bool
  private let secondsMax: Int

  // MARK: Mutable state
  // Owned by the thread of the consumer.
  private(set) var list: [R] = []
  /// All publications, or the last one alone.
  private(set) var updates: [ListUpdate<R>] = []
  private(set) var updateCount = 0
  private var ringsHeard = 0
  /// How many publications were compared with a fresh fetch at the very same token.
  private(set) var comparisons = 0
  /// By how much the limit was raised.
  private var more = 0

  /// - Parameter comparesFresh: holds only where nobody writes past the history.
  init(
    _ store: Store, _ query: Query<R>, comparesFresh: Bool = true, keepsUpdates: Bool = true,
    secondsMax: Int = Threads.secondsMax,
    invariant: @escaping ([R]) -> String? = { _ in nil },
    onRing: @escaping @Sendable () -> Void = {}
  ) {
    self.store = store
    self.comparesFresh = comparesFresh
    self.keepsUpdates = keepsUpdates
    self.secondsMax = secondsMax
    self.query = query
    self.invariant = invariant
    let rings = EventLog<Void>()
    self.rings = rings
    subscription = LiveListSubscription(store, query) {
      rings.append(())
      onRing()
    }
  }

  /// How often it was told that there is something to take.
  var ringCount: Int { rings.events.count }

  /// The query with the limit that was asked for.
  var current: Query<R> { query.limit(query.limit.map { $0 + more }) }

  func loadMore(by count: Int) {
    more += count
    subscription.loadMore(by: count)
  }

  /// Waits until it is told that there is something to take, without taking it.
  func waitForRing() -> Bool {
    let heard = ringsHeard
    return rings.wait(secondsMax: secondsMax) { $0.count > heard }
  }

  /// Takes what there is; returns what it took.
  @discardableResult
  func take() throws -> [ListUpdate<R>] {
    ringsHeard = rings.events.count
    var taken: [ListUpdate<R>] = []
    while let update = try subscription.take() {
      try check(update)
      list = Array(update.items)
      if !keepsUpdates { updates = [] }
      updates.append(update)
      updateCount += 1
      taken.append(update)
    }
    return taken
  }

  /// Takes until the list fulfils a condition.
  func wait(_ what: String, until condition: ([R]) throws -> Bool) throws {
    let deadline = Deadline(milliseconds: secondsMax * 1_000)
    while true {
      try take()
      if !updates.isEmpty, try condition(list) { return }
      let heard = ringsHeard
      let seconds = deadline.remainingMilliseconds / 1_000
      guard rings.wait(secondsMax: max(seconds, 0), until: { $0.count > heard }) else {
        throw Broken(description: "\(query): no \(what) within \(secondsMax) s; \(list.count) records are shown")
      }
    }
  }

  /// Takes until the list is what a fresh fetch gives, which nobody changes meanwhile.
  func settle() throws {
    let fresh = try store.read { try $0.fetch(current) }
    do {
      try wait("agreement with a fresh fetch") { RecordDifference.describe($0, fresh) == nil }
    } catch let error as Broken {
      let difference = RecordDifference.describe(list, fresh) ?? ""
      throw Broken(description: "\(error) \(difference)")
    }
  }

  private func check(_ update: ListUpdate<R>) throws {
    let items = Array(update.items)
    let what = "publication \(updateCount + 1) of \(query) at \(update.token)"
    do {
      let applied = try update.difference.appliedPlainly(to: list)
      if let difference = RecordDifference.describe(applied, items) {
        throw Broken(description: "\(what): its difference leads elsewhere: \(difference)")
      }
    } catch let error as ListDifference<R>.Unfit {
      throw Broken(description: "\(what): \(error)")
    }
    if let complaint = invariant(items) { throw Broken(description: "\(what): \(complaint)") }
    switch update.kind {
    case .initial:
      guard updates.isEmpty else { throw Broken(description: "\(what) is a second first one") }
    case .change:
      guard let last = updates.last else { throw Broken(description: "\(what) is a change of nothing") }
      guard !update.difference.isEmpty || update.hasMore != last.hasMore else {
        throw Broken(description: "\(what) has no difference")
      }
      guard update.token.store == last.token.store, update.token.sequence >= last.token.sequence else {
        throw Broken(description: "\(what) goes back from \(last.token)")
      }
    case .reset:
      guard !updates.isEmpty else { throw Broken(description: "\(what) is a reset of nothing") }
    }
    if comparesFresh { try compare(update, items, what) }
  }

  private func compare(_ update: ListUpdate<R>, _ items: [R], _ what: String) throws {
    // What is loaded later comes with a publication of its own.
    guard more == 0 else { return }
    // Whether the store can be read is another matter.
    let found = try? store.read { transaction in
      (try transaction.token(), try transaction.fetch(query), try transaction.count(query.limit(nil)))
    }
    guard let (token, fresh, count) = found, token == update.token else { return }
    comparisons += 1
    if let difference = RecordDifference.describe(items, fresh) {
      throw Broken(description: "\(what) is not what a fetch gives there: \(difference)")
    }
    guard update.hasMore == (query.limit != nil && count > fresh.count) else {
      throw Broken(description: "\(what) says that there is \(update.hasMore ? "more" : "no more")")
    }
  }
}

extension Trial {
  /// A consumer that waits for as long as the subject is to be waited for.
  func probe<R: TransparentRecord>(
    _ store: Store, _ query: Query<R>, invariant: @escaping ([R]) -> String? = { _ in nil }
  ) -> LiveProbe<R> {
    LiveProbe(store, query, secondsMax: subject.patienceSeconds, invariant: invariant)
  }
}

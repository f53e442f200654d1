/// A live query of any kind, between the observer of a store and a mailbox.
///
/// A row that cannot be decoded is told to the consumer, once, and the result stays what it was; as soon as a change makes
/// the query work again, it is told the new state. Any other error goes to the observer, which tries again.
final class LiveClient<State: LiveState>: ObserverClient, @unchecked Sendable {
  // MARK: Mutable state
  // All of it belongs to the turns of the observer, of which there is one at a time.
  /// `nil` if there is none: the query cannot be answered.
  private let holder: Holder?
  /// Found in this turn, and not published.
  private var news: State.News?
  private var token: HistoryToken?
  /// What the next publication is: kept while there is nothing to publish because a row is damaged.
  private var kind = LiveUpdateKind.initial
  private var failure: StorageError?
  /// What the consumer was told last; `nil` if the query has worked since.
  private var shownFailure: String?
  /// The requests that were served in this turn.
  private var answers: [(ticket: Int, error: StorageError?)] = []

  /// The state in a place of its own: code that is compiled for any state copies an optional one to see whether it is there.
  private final class Holder {
    // MARK: Mutable state
    // The client's.
    var state: State

    init(_ state: State) {
      self.state = state
    }
  }

  let mailbox: Mailbox<State.News>
  /// The type of the records: asking the state for it would copy the state.
  private let type: RecordType?

  /// - Parameter state: makes the state; an error is told to the consumer like those of reading.
  init(_ mailbox: Mailbox<State.News>, _ state: () throws -> State) {
    self.mailbox = mailbox
    do {
      let state = try state()
      type = state.type
      holder = Holder(state)
    } catch {
      type = nil
      holder = nil
      failure = error as? StorageError ?? StorageError(.internalError, "The query cannot be answered: \(error)")
    }
  }

  func begin(_ transaction: borrowing ReadTransaction, at token: HistoryToken) throws {
    let engine = transaction.engine
    try step(at: token) { try $0.fetchNews(engine) }
  }

  func maintain(_ report: ChangeReport, _ transaction: borrowing ReadTransaction, at token: HistoryToken) throws {
    let engine = transaction.engine
    switch report {
    case .changes(let set):
      if let type, set.changes(of: type).isEmpty {
        self.token = token
      } else {
        try step(at: token) { try $0.maintainNews(set, engine) }
      }
    case .unknown: try step(at: token) { try $0.fetchNews(engine) }
    case .reset(let reason):
      kind = kind.followed(by: .reset(reason))
      try step(at: token) { try $0.fetchNews(engine) }
    }
  }

  func rehearse(_ newest: ChangeSet, _ transaction: borrowing ReadTransaction) {
    guard let holder, let type, failure == nil else { return }
    let engine = transaction.engine
    // Written as they are.
    var unchanged = ChangeSet()
    for change in newest.changes(of: type) {
      let update = HistoryChange(sequence: 0, type: type.name, id: change.id, kind: .update)
      _ = try? engine.row(type, change.id) { unchanged.note(update, $0) }
    }
    var copy = holder.state
    _ = try? copy.maintainNews(unchanged, engine)
  }

  /// Does something in a turn that a consumer has asked for, and answers its ticket when the result is published.
  func serve(
    _ ticket: Int?, at token: HistoryToken, _ body: (inout State) throws -> State.News
  ) throws {
    try step(at: token, body)
    if let ticket { answers.append((ticket, failure)) }
  }

  private func step(at token: HistoryToken, _ body: (inout State) throws -> State.News) throws {
    guard let holder else { return }
    do {
      let found = try body(&holder.state)
      failure = nil
      self.token = token
      news = news.map { $0.followed(by: found) } ?? found
    } catch let error as StorageError where error.code == .damagedRow || error.code == .invalidQuery {
      failure = error
    }
  }

  func publish() {
    // First: who has taken what is published finds what it has cost.
    if let holder { mailbox.setCounters(holder.state.counters) }
    if let failure {
      if failure.description != shownFailure {
        shownFailure = failure.description
        mailbox.fail(failure)
      }
    } else if let news, let token {
      // Who was told of an error must hear that it is over.
      let isForced = kind != .change || shownFailure != nil
      if news.isChange || isForced {
        mailbox.put(news, kind, at: token, isForced: isForced)
      } else {
        mailbox.advance(to: token)
      }
      kind = .change
      shownFailure = nil
      self.news = nil
    } else if let token {
      mailbox.advance(to: token)
    }
    let answers = answers
    self.answers = []
    for (ticket, error) in answers { mailbox.answer(ticket, error) }
  }

  func statusChanged(_ status: ObservationStatus) {
    mailbox.setStatus(status)
  }
}

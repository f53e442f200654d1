/// What a history says about the time after a token.
public enum HistoryPortion: Sendable {
  /// These changes, in the order of their commits, and the token to go on from.
  case changes([HistoryChange], through: HistoryToken)
  /// The token is not good here (never ``HistoryToken/Standing/usable``): fetch everything, and go on from a new token.
  case unusable(HistoryToken.Standing)
}

extension TransactionReading where Self: ~Copyable {
  /// The token of this snapshot: whoever has read it has seen everything up to there.
  public func token() throws -> HistoryToken {
    try engine.historyHead().token
  }

  /// Whether the history of this snapshot goes on from a token.
  public func standing(of token: HistoryToken) throws -> HistoryToken.Standing {
    try engine.standing(of: token, head: try engine.historyHead())
  }

  /// The changes after a token; all that the history still has, if there is none.
  ///
  /// - Parameter limit: at most so many changes; the token returned goes on behind the last of them.
  /// - Complexity: grows with the number of changes returned.
  public func history(after token: HistoryToken?, limit: Int? = nil) throws -> HistoryPortion {
    let head = try engine.historyHead()
    if let token {
      let standing = try engine.standing(of: token, head: head)
      guard standing == .usable else { return .unusable(standing) }
    }
    var changes: [HistoryChange] = []
    var isCut = false
    try engine.changes(after: token?.sequence ?? 0) { change, _ in
      if let limit, changes.count >= limit {
        isCut = true
        return false
      }
      changes.append(change)
      return true
    }
    guard isCut else { return .changes(changes, through: head.token) }
    guard let last = changes.last?.sequence else {
      return .changes([], through: token ?? .beginning(of: head.token.store))
    }
    guard let check = try engine.historyCheck(at: last) else { return .changes(changes, through: head.token) }
    return .changes(changes, through: HistoryToken(store: head.token.store, sequence: last, check: check))
  }

  /// The transactions that end after a sequence, in order; changes behind the last have none yet, and are foreign.
  public func transactions(after sequence: Int64 = 0) throws -> [HistoryTransaction] {
    var transactions: [HistoryTransaction] = []
    try engine.transactions(after: sequence, newestFirst: false) {
      transactions.append($0)
      return true
    }
    return transactions
  }
}

extension EngineReadTransaction {
  /// Whether the history of this snapshot, which ends with `head`, goes on from a token.
  func standing(of token: HistoryToken, head: HistoryHead) throws -> HistoryToken.Standing {
    if token.store != head.token.store { return .otherStore }
    if token.sequence > head.token.sequence { return .ahead }
    if token == head.token { return .usable }
    if token.sequence < (try historyBranch()) { return .otherBranch }
    if token.sequence == 0 { return token.check != 0 ? .otherBranch : try historyOldest() <= 1 ? .usable : .tooOld }
    if try historyCheck(at: token.sequence) == token.check { return .usable }
    return token.sequence < (try historyOldest()) ? .tooOld : .otherBranch
  }
}

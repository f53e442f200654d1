extension ObserverRun {
  /// A set of more changed rows costs more to follow than to compare in full.
  static let changesMax = 1_000

  /// What has become of the store since the last snapshot; `nil` if nothing has.
  func report(_ head: HistoryHead, _ transaction: any EngineReadTransaction) throws -> ChangeReport? {
    // Before the first snapshot there is nobody to tell.
    guard let last else { return nil }
    // Nothing that the history tells of, and yet not the same rows: somebody wrote past it.
    if head.token == last.token {
      return !isReplaced && head.revision == last.revision && head.hasUnknownChanges == last.hasUnknownChanges
        ? nil : .unknown
    }
    switch try transaction.standing(of: last.token, head: head) {
    case .otherStore: return .reset(.otherStore)
    case .otherBranch, .ahead: return .reset(.otherBranch)
    case .tooOld: return .unknown
    case .usable: break
    }
    // What the history does not tell of lies in one of the two snapshots, or the files are others.
    if isReplaced || last.hasUnknownChanges || head.hasUnknownChanges { return .unknown }
    return try changes(after: last.token.sequence, transaction)
  }

  private func changes(after sequence: Int64, _ transaction: any EngineReadTransaction) throws -> ChangeReport {
    members.withLock { $0.counters.historyReads += 1 }
    var set = ChangeSet()
    var isTold = true
    try transaction.changes(after: sequence) { change, row in
      isTold = change.kind != .unknown
      if isTold { set.note(change, row) }
      if set.count > Self.changesMax { isTold = false }
      return isTold
    }
    return isTold ? .changes(set) : .unknown
  }
}

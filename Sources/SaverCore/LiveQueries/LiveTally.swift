import FoundationEssentials

/// The number of a query's results, kept up to date from snapshot to snapshot.
///
/// A changed row counts for what it is now, less what it was: no other is looked at. Where the history does not say what
/// it was, everything is counted again.
///
/// Used by one thread at a time.
struct LiveTally<R: Record> {
  private let condition: LiveCondition<R>
  /// The number of results without limit and offset.
  private var total = 0
  private var needsCount = true
  private(set) var counters = LiveQueryCounters()
  private var cost = FetchCost()

  init(_ condition: LiveCondition<R>) {
    self.condition = condition
  }

  /// The number of results.
  var count: Int { min(max(total - condition.query.offset, 0), condition.query.limit ?? .max) }

  /// Counts everything.
  mutating func countAll(_ transaction: any EngineReadTransaction) throws {
    needsCount = true
    counters.fullFetches += 1
    let rowsBefore = transaction.rowsRead
    total = try transaction.count(try condition.selection(limit: nil))
    cost = FetchCost(rows: transaction.rowsRead - rowsBefore)
    needsCount = false
  }

  mutating func maintain(_ set: ChangeSet, _ transaction: any EngineReadTransaction) throws {
    let changes = set.changes(of: condition.type)
    if changes.isEmpty { return }
    let condition = condition
    var total = total
    if needsCount || changes.count > cost.changesMax { return try countAll(transaction) }
    needsCount = true
    for change in changes {
      switch change.before {
      case .absent: break
      case .present(let row): if row.withView({ condition.includes($0) }) { total -= 1 }
      case .unknown: return try countAll(transaction)
      }
      counters.rowsFetched += 1
      _ = try transaction.row(condition.type, change.id) { if condition.includes($0) { total += 1 } }
    }
    self.total = total
    needsCount = false
  }
}

/// A live count after a step.
struct CountNews: LiveNews {
  var count: Int
  var isChange: Bool

  func followed(by later: CountNews) -> CountNews {
    CountNews(count: later.count, isChange: isChange || later.isChange)
  }

  func update(
    from delivered: CountNews?, _ kind: LiveUpdateKind, at token: HistoryToken, _ status: ObservationStatus,
    isForced: Bool
  ) -> CountUpdate? {
    guard isForced || count != delivered?.count else { return nil }
    return CountUpdate(count: count, token: token, kind: kind, status: status)
  }

  var settled: CountNews { CountNews(count: count, isChange: false) }
}

extension LiveTally: LiveState {
  var type: RecordType { condition.type }

  mutating func fetchNews(_ transaction: any EngineReadTransaction) throws -> CountNews {
    let old = count
    try countAll(transaction)
    return CountNews(count: count, isChange: count != old)
  }

  mutating func maintainNews(_ set: ChangeSet, _ transaction: any EngineReadTransaction) throws -> CountNews {
    let old = count
    try maintain(set, transaction)
    return CountNews(count: count, isChange: count != old)
  }
}

/// A live list after a step.
struct ListNews<R: Record>: LiveNews {
  var items: RecordList<R>
  var hasMore: Bool
  /// Whether anything has changed.
  var isChange: Bool
  /// What has changed; `nil` if that is yet to be found out: at first, and after several steps.
  var difference: ListDifference<R>?

  func followed(by later: ListNews) -> ListNews {
    if !isChange { return later }
    if !later.isChange { return self }
    return ListNews(items: later.items, hasMore: later.hasMore, isChange: true, difference: nil)
  }

  func update(
    from delivered: ListNews?, _ kind: LiveUpdateKind, at token: HistoryToken, _ status: ObservationStatus,
    isForced: Bool
  ) -> ListUpdate<R>? {
    let difference = difference ?? ListDifference(from: delivered?.items ?? RecordList(), to: items)
    guard isForced || !difference.isEmpty || hasMore != delivered?.hasMore else { return nil }
    return ListUpdate(
      items: items, difference: difference, token: token, kind: kind, hasMore: hasMore, status: status)
  }

  var settled: ListNews { ListNews(items: items, hasMore: hasMore, isChange: false, difference: nil) }
}

extension LiveWindow: LiveState {
  var type: RecordType { condition.type }

  mutating func fetchNews(_ transaction: any EngineReadTransaction) throws -> ListNews<R> {
    try news(transaction) { try $0.fetch(transaction) }
  }

  mutating func maintainNews(_ set: ChangeSet, _ transaction: any EngineReadTransaction) throws -> ListNews<R> {
    try news(transaction) { try $0.maintain(set, transaction) }
  }

  mutating func extendNews(by count: Int, _ transaction: any EngineReadTransaction) throws -> ListNews<R> {
    try news(transaction) { try $0.extend(by: count, transaction) }
  }

  private mutating func news(
    _ transaction: any EngineReadTransaction, _ step: (inout LiveWindow) throws -> ListDifference<R>
  ) throws -> ListNews<R> {
    let hadMore = hasMore
    let difference = try step(&self)
    return ListNews(
      items: list, hasMore: hasMore, isChange: !difference.isEmpty || hasMore != hadMore, difference: difference)
  }
}

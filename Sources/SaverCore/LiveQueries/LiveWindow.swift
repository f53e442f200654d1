import FoundationEssentials

/// The result of a query, kept up to date from snapshot to snapshot.
///
/// It knows the records up to the limit, and a few behind them: the *reserve*, which moves up when records go, so that
/// the store is not asked again at each deletion. It keeps nothing else.
///
/// Used by one thread at a time. Whatever a function throws, the state is still that of the snapshot before, and the next
/// call fetches everything.
struct LiveWindow<R: Record> {
  let condition: LiveCondition<R>
  private(set) var limit: Int?
  /// The result.
  var list = RecordList<R>()
  /// The records behind `list`, without a gap, the nearest last: it moves up, or is pushed down, when the list changes.
  var reserve: ChunkBuffer
  /// Whether nothing lies behind `list` and `reserve`.
  var isComplete = true
  /// Whether `list` is not the result of any snapshot that could be maintained.
  var needsFetch = true
  var endKeys = EndKeys()
  var counters = LiveQueryCounters()
  private(set) var cost = FetchCost()

  init(_ condition: LiveCondition<R>) {
    self.condition = condition
    limit = condition.query.limit
    reserve = ChunkBuffer(RecordChunk<R>(capacity: 0))
  }

  /// Whether records lie behind the limit.
  var hasMore: Bool { reserve.count > 0 || !isComplete }

  /// The farthest record that is known.
  // Not `first` and `last`: code that is compiled for any type of record looks up how an array is a collection, at each call.
  private var lastKnown: R? {
    if reserve.count > 0 { return reserve.record(at: 0, as: R.self) }
    return list.count > 0 ? list[list.count - 1] : nil
  }

  /// How many records are fetched in advance.
  var reserveCount: Int { limit.map { min(max($0 / 4, 4), 64) } ?? 0 }
  /// The reserve may grow when records are pushed over the limit; what is beyond this is forgotten.
  var reserveCountMax: Int { 2 * reserveCount }

  /// The limit with the reserve; `nil` if there is none, or one that nothing reaches.
  private var fetchCount: Int? {
    guard let limit else { return nil }
    let (count, isOverflow) = limit.addingReportingOverflow(condition.query.offset > 0 ? 1 : reserveCount)
    return isOverflow ? nil : count
  }

  // MARK: Fetching

  /// Fetches the whole result.
  ///
  /// - Returns: what has changed.
  mutating func fetch(_ transaction: any EngineReadTransaction) throws -> ListDifference<R> {
    needsFetch = true
    endKeys = EndKeys()
    counters.fullFetches += 1
    let wanted = fetchCount
    var builder = RecordListBuilder<R>()
    var behind: [R] = []
    let selection = try condition.selection(limit: wanted, offset: condition.query.offset)
    let limit = limit ?? .max
    let rowsBefore = transaction.rowsRead
    let isWhole = try scan(transaction, selection, mayFailFrom: limit) { record in
      if builder.count < limit { builder.append(record) } else { behind.append(record) }
    }
    cost = FetchCost(rows: transaction.rowsRead - rowsBefore)
    let fetched = builder.finish()
    isComplete = isWhole && fetched.count + behind.count < wanted ?? .max
    reserve = reserve.makeEmpty(capacity: behind.count)
    for record in behind.reversed() { reserve.append(record) }
    let difference = ListDifference(from: list, to: fetched, condition.order)
    // Of a list that has hardly changed, most chunks are kept: whoever holds the old one then holds little else.
    list = difference.count < fetched.count / 4 ? list.applying(difference) : fetched
    needsFetch = false
    return difference
  }

  /// Calls `body` with each record of a selection.
  ///
  /// - Parameter index: from which row on a damaged one is no error: it was not asked for, and the rows end before it.
  /// - Returns: whether they do not end so.
  mutating func scan(
    _ transaction: any EngineReadTransaction, _ selection: Selection, mayFailFrom index: Int, _ body: (R) -> Void
  ) throws -> Bool {
    let decode = R.schema.decode
    var count = 0
    var isWhole = true
    defer { counters.rowsFetched += count }
    try transaction.scan(selection) { row in
      do {
        body(try decode(row))
      } catch {
        guard count >= index else { throw damaged(R.schema.type, row, error) }
        isWhole = false
        return false
      }
      count += 1
      return true
    }
    return isWhole
  }

  // MARK: More

  /// Raises the limit to `count` more than the query's own; does nothing if that is no more than now.
  ///
  /// - Returns: what has changed.
  mutating func extend(by count: Int, _ transaction: any EngineReadTransaction) throws -> ListDifference<R> {
    guard let limit, let first = condition.query.limit else { return ListDifference() }
    let (sum, isOverflow) = first.addingReportingOverflow(count)
    let extended = isOverflow ? .max : sum
    guard extended > limit else { return ListDifference() }
    self.limit = extended
    if needsFetch || condition.query.offset > 0 { return try fetch(transaction) }
    let boundary = lastKnown
    return try edit(ListEdit(placed: reserve.makeEmpty(capacity: 0)), boundary: boundary, transaction)
  }

  // MARK: Maintaining

  /// Brings the result to a snapshot between which and the one before these rows have changed, and no others.
  ///
  /// - Returns: what has changed.
  mutating func maintain(
    _ set: ChangeSet, _ transaction: any EngineReadTransaction
  ) throws -> ListDifference<R> {
    let changes = set.changes(of: condition.type)
    if changes.isEmpty { return ListDifference() }
    if needsFetch || changes.count > cost.changesMax { return try fetch(transaction) }
    needsFetch = true
    if condition.query.offset > 0 {
      if try condition.isTouched(by: changes, transaction) { return try fetch(transaction) }
      needsFetch = false
      return ListDifference()
    }
    let boundary = isComplete ? nil : lastKnown
    guard isComplete || boundary != nil, let edit = try editIfStorable(changes, boundary, transaction) else {
      return try fetch(transaction)
    }
    return try self.edit(edit, boundary: boundary, transaction)
  }

  /// `nil` if a record of the list could not be stored as it is (another program wrote a number that is none): it has no
  /// key to be found by.
  private mutating func editIfStorable(
    _ changes: [ChangeSet.Change], _ boundary: R?, _ transaction: any EngineReadTransaction
  ) throws -> ListEdit? {
    do { return try edit(for: changes, boundary, transaction) } catch is RowError { return nil }
  }
}

/// What a live query keeps in order to follow a store: from snapshot to snapshot, on one thread at a time.
///
/// Whatever a function throws, the result is still that of the snapshot before, and the next call looks at everything.
protocol LiveState {
  associatedtype News: LiveNews

  /// The type of the records: changes of others are of no concern.
  var type: RecordType { get }

  /// Finds the whole result.
  mutating func fetchNews(_ transaction: any EngineReadTransaction) throws -> News
  /// Brings the result to a snapshot between which and the one before these rows have changed, and no others.
  mutating func maintainNews(_ set: ChangeSet, _ transaction: any EngineReadTransaction) throws -> News

  var counters: LiveQueryCounters { get }
}

/// The result of a live query after a step, and what is new about it.
protocol LiveNews: Sendable {
  associatedtype Update: Sendable

  /// Whether the result is another than before.
  var isChange: Bool { get }

  /// The news of this step and of `later`, the next one.
  func followed(by later: Self) -> Self

  /// What to tell somebody who knows `delivered`; `nil` if that is the same, and need not be told.
  func update(
    from delivered: Self?, _ kind: LiveUpdateKind, at token: HistoryToken, _ status: ObservationStatus, isForced: Bool
  ) -> Update?

  /// The result without what is new about it: to compare with later.
  var settled: Self { get }
}

/// A new state of a live list, and how it came out of the one before.
public struct ListUpdate<R: Record>: Sendable {
  /// The result of the query on one committed snapshot.
  public var items: RecordList<R>
  /// What makes `items` of the list that was delivered before; everything is inserted at first.
  public var difference: ListDifference<R>
  /// The end of the history in the last snapshot of which `items` are known to be the result.
  public var token: HistoryToken
  public var kind: LiveUpdateKind
  /// Whether records lie behind the limit.
  public var hasMore: Bool
  public var status: ObservationStatus
}

/// Why a live query tells something.
public enum LiveUpdateKind: Hashable, Sendable {
  /// It is the first result.
  case initial
  case change
  /// The store has another history now. Told even if the result is the same, because tokens of the old one are worthless.
  case reset(ResetReason)

  /// The kind of an update that stands for two.
  func followed(by later: LiveUpdateKind) -> LiveUpdateKind {
    switch (self, later) {
    case (.initial, _): .initial
    case (_, .change): self
    default: later
    }
  }
}

/// Where the history of a store stands in one snapshot.
public struct HistoryHead: Hashable, Sendable {
  /// The end of the history.
  public var token: HistoryToken
  /// Two snapshots of one ``EngineWatcher`` with the same revision hold the same rows. A number without a meaning of its
  /// own, comparable with those of the same watcher only.
  public var revision: UInt64
  /// The snapshot holds changes behind the token that the history does not tell of, and that the next writer will mark
  /// with an entry of the kind ``HistoryChange/Kind/unknown``.
  public var hasUnknownChanges: Bool

  public init(token: HistoryToken, revision: UInt64, hasUnknownChanges: Bool = false) {
    self.token = token
    self.revision = revision
    self.hasUnknownChanges = hasUnknownChanges
  }
}

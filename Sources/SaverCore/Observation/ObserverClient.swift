/// What has become of a store since the last turn.
public enum ChangeReport: Sendable {
  /// These rows have changed, and no others.
  case changes(ChangeSet)
  /// Anything may have changed: the history does not tell, has been trimmed, or tells of too much. Compare in full.
  case unknown
  /// Another history begins: compare in full, and say so.
  case reset(ResetReason)
}

/// Why a live query begins anew.
public enum ResetReason: String, Hashable, Sendable {
  /// The store was put back to an earlier state, or has gone another way since.
  case otherBranch
  /// Another store is in its place.
  case otherStore
}

/// How well a store is being observed.
public enum ObservationStatus: Sendable {
  case live
  /// Changes may be noticed late; why, for people.
  case degraded(String)
  /// The store cannot be read at the moment; it is tried again. What is shown is what was read last.
  case unavailable(StorageError)
}

/// A live query, as the observer of a store knows it.
///
/// All functions are called by the observer, one at a time, on the thread of its turns; none may wait for a consumer.
/// Reading that fails for a while (`busy`, `inputOutput`) is thrown on: the observer tries again, with growing pauses. An
/// error that will not pass, such as a damaged row, is the client's to show; thrown, it would be tried for ever.
public protocol ObserverClient: AnyObject, Sendable {
  /// Fetches the result from the snapshot: the first call, again if it has thrown.
  func begin(_ transaction: borrowing ReadTransaction, at token: HistoryToken) throws
  /// Brings the result from the snapshot before to this one. If it throws, the result must be as it was; the next call
  /// says ``ChangeReport/unknown``, or names the reset that was missed.
  func maintain(_ report: ChangeReport, _ transaction: borrowing ReadTransaction, at token: HistoryToken) throws
  /// A commit is about to become visible: does what ``maintain(_:_:at:)`` will have to do for a change like the newest
  /// one, and keeps nothing of it. The snapshot is the one that the result is of. Does nothing unless a client says
  /// otherwise.
  func rehearse(_ newest: ChangeSet, _ transaction: borrowing ReadTransaction)
  /// Called when the snapshot is closed, after each of the two above that has not thrown, and after a request: hands over
  /// to the consumer what is new.
  func publish()
  /// How well the store is being observed is another than before; `live` before the first call. Can come before
  /// ``begin(_:at:)`` when the store cannot be read. ``publish()`` need not follow.
  func statusChanged(_ status: ObservationStatus)
}

extension ObserverClient {
  public func rehearse(_ newest: ChangeSet, _ transaction: borrowing ReadTransaction) {}
}

import SaverCore

extension LiveListSubscription {
  /// What is new, and what has gone wrong after that.
  func takeNews() -> (update: ListUpdate<R>?, failure: StorageError?) {
    do {
      return (try take(), nil)
    } catch {
      return ((try? take()) ?? nil, error)
    }
  }
}

extension ObservationStatus {
  /// Whether a front end that shows the one need not show the other. Two failures are never taken for the same.
  func isSame(as other: ObservationStatus) -> Bool {
    switch (self, other) {
    case (.live, .live): true
    case (.degraded(let reason), .degraded(let other)): reason == other
    default: false
    }
  }
}

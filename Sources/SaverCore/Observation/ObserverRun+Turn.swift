extension ObserverRun {
  /// After so many failures in a row, 31 ms, it is no longer another process that is just closing the store.
  static let failuresBeforeUnavailable = 5

  func turn(_ reasons: WakeReasons) -> Deadline {
    members.withLock { $0.counters.turns += 1 }
    schedule.isDegraded = source.degradation != nil
    let duty = schedule.duty(for: reasons, at: now)
    if duty.checks {
      do {
        let isNew = try check(lookingAfterStore: duty.looksAfterStore)
        failure = nil
        schedule.succeeded(reasons, isNew: isNew)
      } catch {
        members.withLock { $0.counters.failures += 1 }
        failure = error
        schedule.failed(at: now)
      }
      tellStatus()
      watcher?.didPublish()
    } else if duty.rehearses {
      rehearse()
    }
    hooks.didTurn?(reasons)
    return nextTurn
  }

  /// When the next turn is due at the latest.
  private var nextTurn: Deadline {
    hooks.clock.map { Deadline(nanoseconds: schedule.next - $0()) } ?? Deadline(instant: schedule.next)
  }

  /// Looks once.
  ///
  /// - Returns: whether the snapshot differs from the last one.
  /// - Throws: what reading threw, the store's or a client's; all of them are tried again.
  private func check(lookingAfterStore: Bool) throws -> Bool {
    let watcher = try watcher ?? engine.makeWatcher()
    self.watcher = watcher
    if lookingAfterStore { try lookAfterStore(watcher) }

    var service = members.withLock { members in
      members.counters.checks += 1
      defer { members.requests = [] }
      return Service(members.entries, members.requests)
    }
    defer {
      postpone(service.requests)
      publish(service)
    }
    try watcher.read { transaction in
      let head = try transaction.historyHead()
      let report = try report(head, transaction)
      // From here on nothing throws: the head is accepted, and every client has seen this snapshot or is behind.
      service.isNew = report != nil
      last = head
      isReplaced = false
      serve(report, ReadTransaction(transaction), at: head.token, &service)
    }
    if let failure = service.failure { throw failure }
    return service.isNew
  }

  private func lookAfterStore(_ watcher: any EngineWatcher) throws {
    switch try watcher.lookAfterStore() {
    case .unchanged:
      if isMissing { source.renew() }
      isMissing = false
    case .replaced:
      isReplaced = true
      isMissing = false
      source.renew()
    case .missing:
      isMissing = true
    }
  }

  // MARK: Status

  private func tellStatus() {
    let status = currentStatus
    let entries = members.withLock { members in
      members.status = status
      return members.entries
    }
    for entry in entries where entry.isThere && entry.mustHear(status) { entry.client.statusChanged(status) }
  }

  private var currentStatus: ObservationStatus {
    if isMissing {
      return .unavailable(
        StorageError(
          .noSuchStore, "The store is gone: its file was removed or renamed. Put it back, or open another one.",
          path: engine.path))
    }
    if let failure, schedule.failures >= Self.failuresBeforeUnavailable {
      return .unavailable(
        failure as? StorageError
          ?? StorageError(.internalError, "The store cannot be read: \(failure)", path: engine.path))
    }
    return source.degradation.map { .degraded($0) } ?? .live
  }
}

extension ObservationStatus {
  /// Whether people would be told the same.
  func isSame(as other: ObservationStatus) -> Bool {
    switch (self, other) {
    case (.live, .live): true
    case (.degraded(let reason), .degraded(let otherReason)): reason == otherReason
    case (.unavailable(let error), .unavailable(let otherError)): error.description == otherError.description
    default: false
    }
  }
}

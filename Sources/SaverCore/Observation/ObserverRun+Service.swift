extension ObserverRun {
  /// What one snapshot has brought.
  struct Service {
    let entries: [ObservedClient]
    /// What was asked for before the snapshot was taken, and is not answered yet. Whoever asks later, perhaps because of
    /// a commit of his own, wants to see a later snapshot.
    var requests: [Request]
    var isNew = false
    /// Those that have fetched for the first time.
    var begun: [ObservedClient] = []
    /// Those that may have something to publish.
    var served: [ObservedClient] = []
    /// Why a client could not follow.
    var failure: (any Error)?

    init(_ entries: [ObservedClient], _ requests: [Request]) {
      self.entries = entries
      self.requests = requests
    }
  }

  /// Brings every client to this snapshot. One that cannot read is behind, and does not keep the others from it.
  func serve(
    _ report: ChangeReport?, _ transaction: borrowing ReadTransaction, at token: HistoryToken, _ service: inout Service
  ) {
    for entry in service.entries where entry.isThere {
      do {
        switch entry.phase {
        case .new:
          try entry.client.begin(transaction, at: token)
          service.begun.append(entry)
        case .current:
          guard let report else { continue }
          // Until it has followed.
          entry.phase = .behind(report.resetReason)
          try entry.client.maintain(report, transaction, at: token)
        case .behind(let missed):
          let reason = report?.resetReason ?? missed
          entry.phase = .behind(reason)
          try entry.client.maintain(reason.map { .reset($0) } ?? .unknown, transaction, at: token)
        }
        entry.phase = .current
        service.served.append(entry)
      } catch {
        service.failure = error
      }
    }
    answerRequests(transaction, at: token, &service)
  }

  private func answerRequests(
    _ transaction: borrowing ReadTransaction, at token: HistoryToken, _ service: inout Service
  ) {
    let requests = service.requests
    service.requests = []
    for request in requests where request.entry.isThere {
      guard case .current = request.entry.phase else {
        service.requests.append(request)
        continue
      }
      do {
        try request.body(transaction, token)
        if !service.served.contains(where: { $0 === request.entry }) { service.served.append(request.entry) }
      } catch {
        service.failure = error
        service.requests.append(request)
      }
    }
  }

  /// Keeps requests for a later turn.
  func postpone(_ requests: [Request]) {
    if !requests.isEmpty { members.withLock { $0.requests = requests + $0.requests } }
  }

  /// The snapshot is closed: lets the clients hand over what they have.
  func publish(_ service: Service) {
    if let didBegin = hooks.didBegin {
      for entry in service.begun where entry.isThere { didBegin(entry.client) }
    }
    for entry in service.served where entry.isThere { entry.client.publish() }
  }
}

extension ChangeReport {
  var resetReason: ResetReason? {
    if case .reset(let reason) = self { reason } else { nil }
  }
}

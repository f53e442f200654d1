extension ObserverRun {
  /// Does what the next turn will do, for a change that changes nothing, and keeps nothing of it.
  ///
  /// Since the last turn other programs have had the processor, and its caches hold nothing that a turn needs: to get it
  /// back takes longer than the turn itself. A commit that is being written gives the time for that, while its writer waits
  /// for the disk.
  func rehearse() {
    guard let watcher, let last, !isReplaced else { return }
    let entries = members.withLock { members in
      members.counters.rehearsals += 1
      return members.entries
    }
    // What cannot be read now is the next check's to report.
    try? watcher.read { transaction in
      // Visible already: the next check tells what it is.
      guard try transaction.historyHead() == last else { return }
      var newest = ChangeSet()
      try transaction.changes(after: last.token.sequence - 1) { change, row in
        newest.note(change, row)
        return true
      }
      for entry in entries where entry.isThere {
        if case .current = entry.phase { entry.client.rehearse(newest, ReadTransaction(transaction)) }
      }
    }
  }
}

import FoundationEssentials
import SaverCore

/// How much of a history is kept, and what must never go.
extension ConformanceSuite {
  /// What may be there beyond a limit: what is added between two looks, and what a look may leave.
  private static let slack = 2 * HistoryRetention.changesBetweenTrims + HistoryRetention.trimMax(adding: 1)

  static let historyRetentionChecks: [ConformanceCheck] = [
    ConformanceCheck("history.retention.count", "Changes beyond the limit go, the oldest first; those within stay.") {
      trial in
      let store = try trial.open(keeping: HistoryRetention(changesMax: 100))
      var tokens = [HistoryToken.beginning(of: store.identity)]
      for note in NoteWorld.notes(500) {
        try store.write { try $0.insert(note) }
        tokens.append(try store.read { try $0.token() })
      }
      let kept = try store.read { try $0.logged() }
      try trial.expect((100...100 + slack).contains(kept.count), "\(kept.count) changes are kept of 500, limit 100")
      try trial.expectEqual(
        kept.map(\.event), NoteWorld.notes(500).suffix(kept.count).map { .insert($0) }, "the changes kept")
      let transactions = try store.read { try $0.transactions() }
      try trial.expectEqual(transactions.first?.sequences.lowerBound, kept.first?.change.sequence, "the oldest of both")
      try expectStandings(trial, tokens, kept: kept.count, in: store)
      guard case .changes(let all, _) = try store.read({ try $0.history(after: nil) }) else {
        throw trial.failure("the history without a token is refused", #fileID, #line)
      }
      try trial.expectEqual(all, kept.map(\.change), "the history without a token")
    },
    ConformanceCheck("history.retention.bulk", "A history of large transactions is kept within its limits, too.") {
      trial in
      let store = try trial.open(keeping: HistoryRetention(changesMax: 100))
      for count in 0..<60 {
        try store.write { transaction in
          for note in NoteWorld.notes(50, seed: UInt64(count)) { try transaction.insert(note) }
        }
      }
      let kept = try store.read { try $0.logged().count }
      let most = 100 + 50 + HistoryRetention.trimMax(adding: 50)
      try trial.expect((100...most).contains(kept), "\(kept) changes are kept of 3,000, limit 100")
    },
    ConformanceCheck("history.retention.bytes", "Rows beyond the limit in bytes go, the oldest first.") { trial in
      var note = NoteWorld.note()
      let store = try trial.open(keeping: HistoryRetention(bytesMax: 256 << 10))
      try store.write { try $0.insert(note) }
      for count in 0..<500 {
        note.text = String(repeating: "\(count) ", count: 1_000).prefix(4_096).description
        let changed = note
        try store.write { try $0.update(changed) }
      }
      // 64 rows of 4 KiB; an engine may count what it needs beside them.
      let kept = try store.read { try $0.logged() }
      try trial.expect((16...64 + slack).contains(kept.count), "\(kept.count) rows of 4 KiB are kept, limit 256 KiB")
      guard case .text(let text) = kept.last?.row?[1] else {
        throw trial.failure("the newest old row is gone", #fileID, #line)
      }
      try trial.expect(text.hasPrefix("498 "), "the newest old row begins with \(text.prefix(8))")
    },
    ConformanceCheck("history.retention.newest", "The newest transaction stays whole, whatever the limits.") { trial in
      let store = try trial.open(keeping: HistoryRetention(changesMax: 0, bytesMax: 0))
      for count in 0..<200 {
        let notes = NoteWorld.notes(count % 3 + 1, seed: UInt64(count))
        try store.write { transaction in
          for note in notes { try transaction.insert(note) }
        }
        let (token, standing, kept, last) = try store.read { transaction in
          let token = try transaction.token()
          return (
            token, try transaction.standing(of: token), try transaction.logged(), try transaction.transactions().last
          )
        }
        try trial.expectEqual(standing, .usable, "the newest token after \(count) commits")
        try trial.expectEqual(
          kept.suffix(notes.count).map(\.event), notes.map { .insert($0) }, "the newest changes after \(count) commits")
        try trial.expectEqual(last?.sequences.upperBound, token.sequence, "the end of the newest transaction")
        try trial.expectEqual(last?.nonce, token.check, "the check value of the newest transaction")
      }
      let kept = try store.read { try $0.logged().count }
      try trial.expect(kept <= 3 * slack, "\(kept) changes are kept, limit 0")
    },
    ConformanceCheck("history.retention.whole", "A transaction goes as a whole or not at all.") { trial in
      let store = try trial.open(keeping: HistoryRetention(changesMax: 50))
      for count in 0..<200 {
        try store.write { transaction in
          for note in NoteWorld.notes(count % 7 + 1, seed: UInt64(count)) { try transaction.insert(note) }
        }
      }
      let (transactions, kept) = try store.read { (try $0.transactions(), try $0.logged()) }
      try trial.expect(transactions.count < 200, "nothing was trimmed")
      let first = 200 - transactions.count
      for (count, entry) in transactions.enumerated() {
        let own = kept.filter { entry.sequences.contains($0.change.sequence) }
        try trial.expectEqual(own.count, (first + count) % 7 + 1, "the changes kept of transaction \(first + count)")
      }
      try trial.expectEqual(kept.count, (first..<200).reduce(0) { $0 + $1 % 7 + 1 }, "changes without a transaction")
    },
    ConformanceCheck("history.retention.operation", "An operation does not trim itself; what was before it may go.") {
      trial in
      let store = try trial.open(keeping: HistoryRetention(changesMax: 10))
      for note in NoteWorld.notes(70) { try store.write { try $0.insert(note) } }
      let operation = WriteOperation("import")
      let notes = NoteWorld.notes(300, seed: 8)
      for note in notes { try store.write(operation) { try $0.insert(note) } }
      let (kept, transactions) = try store.read { (try $0.logged(), try $0.transactions()) }
      try trial.expectEqual(
        kept.suffix(300).map(\.event), notes.map { .insert($0) }, "the changes of an operation that is under way")
      try trial.expectEqual(transactions.filter { $0.operation == operation }.count, 300, "its transactions")
      try trial.expect(kept.count < 370, "nothing before the operation was trimmed")
      for note in NoteWorld.notes(600, seed: 9) { try store.write { try $0.insert(note) } }
      // How fast is the engine's business: a look takes a little more than was added.
      let later = try store.read { try $0.transactions().filter { $0.operation == operation }.count }
      try trial.expect(later < 300, "nothing of an operation that is over was trimmed")
    },
    ConformanceCheck("history.retention.withoutRows", "A history may keep no rows: deleted text does not linger.") {
      trial in
      let notes = NoteWorld.notes(3)
      let store = try trial.open(keeping: HistoryRetention(keepsRows: false))
      try store.write { transaction in
        for note in notes { try transaction.insert(note) }
        try transaction.update(notes[0])
      }
      try store.write { try $0.delete(Note.self, id: notes[0].id) }
      let (logged, transactions) = try store.read { (try $0.logged(), try $0.transactions()) }
      let wanted = notes.map(LoggedChange.Event.insert) + [.update(notes[0]), .delete(notes[0])]
      try trial.expectEqual(logged.map(\.event), wanted, "the history")
      try trial.expect(logged.allSatisfy { $0.row == nil }, "old rows are kept")
      try trial.expectEqual(transactions.count, 2, "transactions")
    },
  ]

  /// Expects the tokens, one for each commit, to be too old as far as their entries are gone, and good from there on.
  private static func expectStandings(_ trial: Trial, _ tokens: [HistoryToken], kept: Int, in store: Store) throws {
    let last = tokens.count - 1
    for (count, token) in tokens.enumerated() {
      if count <= last - kept {
        try expectStanding(trial, .tooOld, of: token, in: store)
      } else {
        let after = try store.read { try $0.changes(after: token).0.count }
        try trial.expectEqual(after, last - count, "the changes after token \(count)")
      }
    }
  }
}

extension Trial {
  /// Opens the check's store with limits of its own.
  func open(keeping retention: HistoryRetention) throws -> Store {
    try subject.open(StoreLocation(base: "\(folder)/store", history: retention), Trial.world)
  }
}

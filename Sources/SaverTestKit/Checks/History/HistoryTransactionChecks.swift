import FoundationEssentials
import Glibc
import SaverCore

/// What a history tells of transactions.
extension ConformanceSuite {
  static let historyTransactionChecks: [ConformanceCheck] = [
    ConformanceCheck("history.transaction", "A transaction has an entry: who, what, when, and which changes.") {
      trial in
      let store = try trial.open()
      let began = Date()
      let operation = WriteOperation("share")
      let notes = NoteWorld.notes(3)
      try store.write(operation) { transaction in
        for note in notes { try transaction.insert(note) }
      }
      let (transactions, logged) = try store.read { (try $0.transactions(), try $0.logged()) }
      try trial.expectEqual(transactions.count, 1, "transactions")
      let entry = transactions[0]
      try trial.expectEqual(entry.author, .current, "the author")
      try trial.expectEqual(entry.user, getuid(), "the user")
      try trial.expectEqual(entry.operation, operation, "the operation")
      try trial.expect(entry.nonce != 0, "the nonce is 0")
      // Whole seconds may be all that a format keeps; a minute is for machines that stop.
      let age = entry.time.timeIntervalSince(began)
      try trial.expect(age > -1 && age < 60, "the time is \(age) s after the beginning")
      try trial.expectEqual(logged.first?.change.sequence, entry.sequences.lowerBound, "the first change")
      try trial.expectEqual(logged.last?.change.sequence, entry.sequences.upperBound, "the last change")
    },
    ConformanceCheck("history.transaction.order", "Sequences grow with the commits; each change has one transaction.") {
      trial in
      let store = try trial.open()
      for count in 1...20 {
        try store.write { transaction in
          for note in NoteWorld.notes(count % 4 + 1, seed: UInt64(count)) { try transaction.insert(note) }
        }
      }
      let (transactions, logged) = try store.read { (try $0.transactions(), try $0.logged()) }
      try trial.expectEqual(transactions.count, 20, "transactions")
      try trial.expectEqual(logged.count, 50, "changes")
      for (one, next) in zip(logged, logged.dropFirst()) {
        try trial.expect(one.change.sequence < next.change.sequence, "sequences do not grow")
      }
      for (one, next) in zip(transactions, transactions.dropFirst()) {
        try trial.expect(one.sequences.upperBound < next.sequences.lowerBound, "transactions overlap")
      }
      for (count, entry) in transactions.enumerated() {
        let own = logged.filter { entry.sequences.contains($0.change.sequence) }
        try trial.expectEqual(own.count, (count + 1) % 4 + 1, "the changes of transaction \(count)")
      }
    },
    ConformanceCheck("history.transaction.operation", "An operation over several transactions has one id in all.") {
      trial in
      let store = try trial.open()
      let undone = WriteOperation("import")
      let undo = WriteOperation("undo", undoes: undone.id)
      for operation in [undone, undone, undone, undo, WriteOperation(), undo] {
        try store.write(operation) { try $0.insert(NoteWorld.note()) }
      }
      let found = try store.read { try $0.transactions().map(\.operation) }
      try trial.expectEqual(found[0...2].map { $0 }, [undone, undone, undone], "the transactions of an operation")
      try trial.expectEqual(found[3], undo, "an operation that takes another back")
      try trial.expectEqual(found[5], undo, "its second transaction")
      try trial.expect(![undone.id, undo.id].contains(found[4]?.id), "an operation of its own has another's id")
      try trial.expectEqual(found[4]?.name, "write", "the name of an operation without one")
    },
    ConformanceCheck("history.transaction.nonce", "No two transactions have one nonce, in one store or in two.") {
      trial in
      let nonces = try (0..<2).flatMap { number in
        let store = try trial.open("nonce\(number)")
        for note in NoteWorld.notes(20) { try store.write { try $0.insert(note) } }
        return try store.read { try $0.transactions().map(\.nonce) }
      }
      try trial.expectEqual(nonces.count, 40, "transactions")
      try trial.expectEqual(Set(nonces).count, 40, "different nonces")
    },
    ConformanceCheck("history.transaction.after", "Transactions are given that end after a sequence, in both orders.") {
      trial in
      let store = try trial.open()
      for count in 0..<6 {
        try store.write { transaction in
          for note in NoteWorld.notes(3, seed: UInt64(count)) { try transaction.insert(note) }
        }
      }
      let all = try store.read { try $0.transactions() }
      for (place, entry) in all.enumerated() {
        // The last sequence of a transaction has seen all of it; the one before has not.
        for (sequence, wanted) in [
          (entry.sequences.upperBound, all[(place + 1)...]), (entry.sequences.upperBound - 1, all[place...]),
        ] {
          let found = try store.read { try $0.transactions(after: sequence) }
          try trial.expectEqual(found, Array(wanted), "transactions after \(sequence)")
          try trial.expectEqual(
            try newestFirst(store, after: sequence), wanted.reversed(), "backwards, after \(sequence)")
        }
      }
      try trial.expectEqual(try newestFirst(store, after: 0, count: 2), all.suffix(2).reversed(), "the newest two")
    },
    ConformanceCheck("history.within", "A write sees the history that its predecessors left.") { trial in
      let note = NoteWorld.note()
      let store = try trial.open(with: [note])
      let before = try store.read { try $0.token() }
      try store.write { transaction in
        try trial.expectEqual(try transaction.token(), before, "the token at the beginning of a write")
        try trial.expectEqual(try transaction.standing(of: before), .usable, "its standing")
        try trial.expectEqual(try transaction.logged().map(\.event), [.insert(note)], "the changes before a write")
        try trial.expectEqual(try transaction.transactions().count, 1, "the transactions before a write")
        try transaction.delete(Note.self, id: note.id)
      }
      try trial.expectEqual(try store.read { try $0.logged().count }, 2, "changes")
    },
  ]

  private static func newestFirst(_ store: Store, after sequence: Int64, count: Int = .max) throws
    -> [HistoryTransaction]
  {
    try store.read { transaction in
      var found: [HistoryTransaction] = []
      try transaction.engine.transactions(after: sequence, newestFirst: true) {
        found.append($0)
        return found.count < count
      }
      return found
    }
  }
}

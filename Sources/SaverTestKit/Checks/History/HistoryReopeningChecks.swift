import FoundationEssentials
import SaverCore

/// What a history is to those who come later, and to several at once.
extension ConformanceSuite {
  static let historyReopeningChecks: [ConformanceCheck] = [
    persistent("history.reopen", "A store that is opened again has its token, its history and its old rows.") { trial in
      let notes = NoteWorld.notes(5)
      let (token, middle, logged, transactions) = try trial.session { store in
        try store.write { transaction in
          for note in notes { try transaction.insert(note) }
        }
        let middle = try store.read { try $0.token() }
        try store.write(WriteOperation("delete")) { try $0.delete(Note.self, id: notes[1].id) }
        return try store.read {
          (try $0.token(), middle, try $0.logged().map(\.change), try $0.transactions())
        }
      }
      for _ in 0..<3 {
        try trial.session { store in
          let found = try store.read { (try $0.token(), try $0.logged(), try $0.transactions()) }
          try trial.expectEqual(found.0, token, "the token")
          try trial.expectEqual(found.1.map(\.change), logged, "the history")
          try trial.expectEqual(found.2.map(\.sequences), transactions.map(\.sequences), "the transactions")
          try trial.expectEqual(found.2.map(\.nonce), transactions.map(\.nonce), "their nonces")
          try trial.expectEqual(found.2.map(\.operation), transactions.map(\.operation), "their operations")
          try trial.expectRow(found.1[5], notes[1], "a deletion before")
          let after = try store.read { try $0.changes(after: middle).0 }
          try trial.expectEqual(after, [logged[5]], "the changes after a token from before")
        }
      }
    },
    persistent("history.reopen.goesOn", "Sequences go on where they were, also when all but the newest was trimmed.") {
      trial in
      var tokens: [HistoryToken] = []
      for round in 0..<4 {
        let store = try trial.open(keeping: HistoryRetention(changesMax: 0, bytesMax: 0))
        for note in NoteWorld.notes(70, seed: UInt64(round)) {
          try store.write { try $0.insert(note) }
          tokens.append(try store.read { try $0.token() })
        }
        try store.write { try $0.delete(Query<Note>()) }
        tokens.append(try store.read { try $0.token() })
      }
      for (one, next) in zip(tokens, tokens.dropFirst()) {
        try trial.expect(one.sequence < next.sequence, "the sequence went from \(one) to \(next)")
      }
      try trial.session { store in
        try expectStanding(trial, .tooOld, of: tokens[0], in: store)
        let standing = try store.read { try $0.standing(of: tokens[tokens.count - 1]) }
        try trial.expectEqual(standing, .usable, "the standing of the newest token")
      }
    },
    persistent("history.reopen.types", "Entries of record types that a program does not know keep nobody from reading.")
    {
      trial in
      let (note, specimen) = (NoteWorld.note(), SpecimenWorld.specimens[0])
      let token = try trial.session { store in
        try store.write { transaction in
          try transaction.insert(specimen)
          try transaction.insert(note)
          try transaction.delete(Specimen.self, id: specimen.id)
          try transaction.delete(Note.self, id: note.id)
        }
        return try store.read { try $0.token() }
      }
      try trial.session([Note.recordType]) { store in
        let rows = try rowsOfUnknownTypes(store)
        try trial.expectEqual(rows, ["specimen": [0, 0], "note": [0, Note.columns.count]], "columns of old rows")
        try trial.expectEqual(try store.read { try $0.standing(of: token) }, .usable, "the standing")
        try trial.expectEqual(try store.read { try $0.changes(after: nil).0.count }, 4, "changes")
      }
      try trial.session { store in
        let logged = try store.read { try $0.logged() }
        try trial.expectRow(logged[2], specimen, "a specimen, by a program that knows it")
      }
    },
    persistent("history.evolve", "After a migration the history goes on, and says that something unknown changed.") {
      trial in
      let token = try trial.session([Evolution.First.recordType]) { store in
        try store.write { transaction in
          for page in Evolution.pages { try transaction.insert(page) }
        }
        try store.write { try $0.delete(Evolution.First.self, id: Evolution.pages[0].id) }
        return try store.read { try $0.token() }
      }
      try trial.session([Evolution.Second.recordType]) { store in
        let (portion, _) = try store.read { try $0.changes(after: token) }
        try trial.expectEqual(portion.map(\.kind), [.unknown], "the changes of a migration")
        // The row has the form of an earlier schema: it is left out, or has the new one.
        let columns = try rowsOfUnknownTypes(store)["page"] ?? []
        let wanted = Evolution.Second.schema.type.fields.count
        try trial.expect(columns.allSatisfy { $0 == 0 || $0 == wanted }, "columns of old rows: \(columns)")
        try store.write { try $0.delete(Evolution.Second.self, id: Evolution.pages[1].id) }
        let (later, _) = try store.read { try $0.changes(after: token) }
        try trial.expectEqual(later.map(\.kind), [.unknown, .delete], "the changes since the migration")
      }
      let again = try trial.session([Evolution.Second.recordType]) { store in
        try store.read { try $0.changes(after: token).0.count }
      }
      try trial.expectEqual(again, 2, "changes after the migrated store was opened again")
    },
    ConformanceCheck("history.handles", "Two handles of one store have one history.") { trial in
      guard trial.subject.capabilities.isShared else { return }
      let handles = [try trial.open(), try trial.open()]
      var tokens = [HistoryToken.beginning(of: handles[0].identity)]
      for (count, note) in NoteWorld.notes(10).enumerated() {
        try handles[count % 2].write { try $0.insert(note) }
        let seen = try handles.map { try $0.read { try $0.token() } }
        try trial.expectEqual(seen[0], seen[1], "the tokens of two handles")
        for handle in handles {
          let after = try handle.read { try $0.changes(after: tokens[count]).0 }
          try trial.expectEqual(after.map(\.id), [note.id], "the change after token \(count)")
        }
        tokens.append(seen[0])
      }
    },
    ConformanceCheck("history.writers", "Writers at the same time have transactions that do not overlap.") { trial in
      let store = try trial.open()
      try Threads.run(4) { writer in
        for count in 0..<15 {
          try store.write { transaction in
            for note in NoteWorld.notes(3, seed: UInt64(writer * 100 + count)) { try transaction.insert(note) }
          }
        }
      }
      let (logged, transactions) = try store.read { (try $0.logged(), try $0.transactions()) }
      try trial.expectEqual(transactions.count, 60, "transactions")
      try trial.expectEqual(Set(logged.map(\.change.id)).count, 180, "changed ids")
      for entry in transactions {
        let ids = logged.filter { entry.sequences.contains($0.change.sequence) }.map(\.change.id)
        let isOne = (0..<415).contains { seed in NoteWorld.notes(3, seed: UInt64(seed)).map(\.id) == ids }
        try trial.expect(isOne, "a transaction mixes the changes of several")
      }
    },
  ]

  /// The number of columns of each old row, by record type.
  private static func rowsOfUnknownTypes(_ store: Store) throws -> [String: [Int]] {
    try store.read { transaction in
      var columns: [String: [Int]] = [:]
      try transaction.engine.changes(after: 0) { change, row in
        if change.kind != .unknown { columns[change.type, default: []].append(row.count) }
        return true
      }
      return columns
    }
  }
}

import FoundationEssentials
import SaverCore

extension ConformanceSuite {
  private struct Interruption: Error {}

  static let scanChecks: [ConformanceCheck] = [
    ConformanceCheck("scan.each", "Every result comes once, in order, as it does in a fetch.") { trial in
      let notes = NoteWorld.notes(20)
      let store = try trial.open(with: notes)
      let query = Query<Note> { $0.rank < 3 }.sorted(by: \.rank, descending: true)
      var found: [Note] = []
      try store.read { transaction in
        try transaction.forEach(query) { note in
          found.append(note)
          return true
        }
      }
      try trial.expectSame(found, QueryOracle.results(of: query, in: notes), "one by one")
    },
    ConformanceCheck("scan.stop", "A scan ends where its closure says so, and the transaction goes on.") { trial in
      let notes = NoteWorld.notes(20)
      let store = try trial.open(with: notes)
      for query in [Query<Note>(), Query<Note>().sorted(by: \.createdAt), Query<Note>().sorted(by: \.text)] {
        var calls = 0
        try store.read { transaction in
          for _ in 0..<3 {
            calls = 0
            try transaction.forEach(query) { _ in
              calls += 1
              return calls < 4
            }
            try trial.expectEqual(calls, 4, "calls until the closure said false")
          }
          try trial.expectEqual(try transaction.count(query), 20, "the count after a scan that was ended early")
        }
      }
    },
    ConformanceCheck("scan.throw", "An error thrown in a scan comes out, and transaction and store stay usable.") {
      trial in
      let notes = NoteWorld.notes(10)
      let store = try trial.open(with: notes)
      func interrupt(_ transaction: borrowing some TransactionReading & ~Copyable, _ query: Query<Note>) throws {
        var calls = 0
        do {
          try transaction.forEach(query) { _ in
            calls += 1
            if calls == 3 { throw Interruption() }
            return true
          }
          throw trial.failure("the error did not come out of the scan", #fileID, #line)
        } catch is Interruption {}
        try trial.expectEqual(calls, 3, "calls until the error")
      }
      for query in [Query<Note>(), Query<Note>().sorted(by: \.createdAt)] {
        try store.read { transaction in
          try interrupt(transaction, query)
          try trial.expectEqual(try transaction.fetch(query).count, 10, "a fetch in the same transaction")
        }
        try store.write { transaction in
          try interrupt(transaction, query)
          try transaction.delete(Note.self, id: notes[0].id)
          try transaction.insert(notes[0])
        }
      }
      try trial.expectEqual(try store.read { try $0.count(Query<Note>()) }, 10, "records afterwards")
    },
    ConformanceCheck("scan.nested", "A scan may ask anything of the same transaction, other scans included.") { trial in
      let notes = NoteWorld.notes(12)
      let store = try trial.open(with: notes)
      let outer = Query<Note>().sorted(by: \.createdAt)
      try store.read { transaction in
        var found: [Note] = []
        try transaction.forEach(outer) { note in
          let query = Query<Note> { $0.rank == note.rank }
          try trial.expectSame(
            try transaction.fetch(query), QueryOracle.results(of: query, in: notes), "a fetch within a scan")
          var within = 0
          try transaction.forEach(outer) { _ in
            within += 1
            return within < 5
          }
          let same = try transaction.record(Note.self, id: note.id)
          try trial.expectSame(same.map { [$0] } ?? [], [note], "a record within a scan")
          try trial.expectEqual(try transaction.count(Query<Note>()), 12, "a count within a scan")
          found.append(note)
          return true
        }
        try trial.expectSame(found, QueryOracle.results(of: outer, in: notes), "the outer scan")
      }
      try store.write { transaction in
        var calls = 0
        try transaction.forEach(outer) { _ in
          calls += try transaction.fetch(outer).count
          return true
        }
        try trial.expectEqual(calls, 144, "rows of scans within a scan of a write")
      }
    },
    ConformanceCheck("scan.nestedReads", "A read may be opened within a read of the same thread.") { trial in
      let store = try trial.open(with: NoteWorld.notes(3))
      let counts = try store.read { outer in
        let inner = try store.read { inner in try store.read { _ in try inner.count(Query<Note>()) } }
        return [inner, try outer.count(Query<Note>())]
      }
      try trial.expectEqual(counts, [3, 3], "counts in nested reads")
    },
    ConformanceCheck("scan.manyReaders", "Many threads read at once.") { trial in
      let notes = NoteWorld.notes(30)
      let store = try trial.open(with: notes)
      let query = Query<Note> { $0.isDone == true }.sorted(by: \.createdAt)
      let wanted = QueryOracle.results(of: query, in: notes)
      try Threads.run(6) { _ in
        for _ in 0..<5 { try trial.expectSame(try store.read { try $0.fetch(query) }, wanted, "a fetch on a thread") }
      }
    },
    ConformanceCheck("scan.ids", "The ids of a query are those of its records, in the same order.") { trial in
      let notes = NoteWorld.notes(20)
      let store = try trial.open(with: notes)
      let query = Query<Note> { $0.rank > 0 }.sorted(by: \.title).limit(9).offset(2)
      let (ids, records) = try store.read { (try $0.ids(query), try $0.fetch(query)) }
      try trial.expectEqual(ids, records.map(\.id), "ids")
      try trial.expectSame(records, QueryOracle.results(of: query, in: notes), "records")
    },
    ConformanceCheck("scan.first", "The first result is the first of a fetch, also behind an offset.") { trial in
      let notes = NoteWorld.notes(20)
      let store = try trial.open(with: notes)
      let query = Query<Note>().sorted(by: \.title, descending: true)
      for query in [query, query.offset(5), query.offset(30), query.limit(0), query.limit(3)] {
        let first = try store.read { try $0.first(query) }
        let wanted = QueryOracle.results(of: query, in: notes).prefix(1)
        try trial.expectSame(first.map { [$0] } ?? [], Array(wanted), "the first of \(query)")
      }
    },
  ]
}

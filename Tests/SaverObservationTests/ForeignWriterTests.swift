import Glibc
import SaverTestKit
import Testing

/// Live queries over stores that other programs write to.
@Suite(.serialized, .enabled(if: ForeignWriter.isThere)) struct ForeignWriterTests {
  private static let shapes: [WatchShape] = [.all, .filtered, .window, .sections, .count]

  #if SQLite
  /// Row by row, by the shell and by Python: each change is one publication, within a second; a checkpoint is none.
  @Test func rowByRowOnSQLite() throws {
    let stage = try Stage(.sqlite)
    let asked = try stage.open()
    try asked.ask("write 1 2 30", for: "written 30")
    let watchers = try (0..<2).map { _ in try Watcher(stage.open(), Self.shapes, isForeign: true) }
    var slowest: Int64 = 0
    func expectSeen(_ what: String, _ change: () throws -> Int64) throws {
      let before = watchers.map { $0.publications(of: .all).count }
      let ended = try change()
      for (watcher, count) in zip(watchers, before) {
        slowest = max(slowest, try watcher.settle(asking: asked) - ended)
        #expect(watcher.publications(of: .all).count == count + 1, "publications of: \(what)")
        #expect(watcher.publications.suffix(5).allSatisfy { !$0.kind.hasPrefix("reset") })
      }
    }
    let id = "x'00112233445566778899aabbccddeeff'"
    for statement in [
      "INSERT INTO twin(partner, rank, text) VALUES (randomblob(16), 3, 'theirs')",
      "INSERT INTO twin(id, partner, rank, text) VALUES (\(id), randomblob(16), 5, 'theirs')",
      "UPDATE twin SET rank = 4, shelf = 'z' WHERE id = \(id)",
      "INSERT OR REPLACE INTO twin(id, partner, text) VALUES (\(id), randomblob(16), 'replaced')",
      "UPDATE twin SET id = x'ff112233445566778899aabbccddeeff' WHERE id = \(id)",
      "DELETE FROM twin WHERE rank = 3",
      "BEGIN; INSERT INTO twin(partner) VALUES (randomblob(16)); UPDATE twin SET text = 'all'; COMMIT",
      "DELETE FROM twin WHERE writer = 1 AND rank > 20",
    ] {
      try expectSeen(statement) { try ForeignWriter.sql(stage, statement) }
      try ForeignWriter.sql(stage, "PRAGMA wal_checkpoint(TRUNCATE)")
      try ForeignWriter.sql(
        stage, "BEGIN; DELETE FROM twin; ROLLBACK; UPDATE twin SET text = 'x' WHERE 0; SELECT * FROM twin")
    }
    try expectSeen("Python") {
      try ForeignWriter.python(
        stage,
        """
        import sqlite3, sys
        store = sqlite3.connect(sys.argv[1])
        with store:
          for number in range(50):
            store.execute("INSERT INTO twin(partner, rank, text) VALUES (randomblob(16), ?, ?)", (number, "python"))
          store.execute("DELETE FROM twin WHERE rank = 7")
        """)
    }
    // Ours goes on beside it.
    try expectSeen("a writer of ours") {
      try asked.ask("write 2 2 1", for: "written 1").instant
    }
    print("sqlite: slowest \(slowest / 1_000) µs after the foreign program's end")
    #expect(slowest < 1_000_000_000)
    try asked.ask("problems", for: "problems 0")
    for process in watchers.map(\.process) + [asked] { try process.finish() }
  }
  #endif

  #if LMDB
  /// A foreign commit on LMDB is noticed within a second, and shown as it is in the rows, whatever the indexes say.
  @Test func comparedInFullOnLMDB() throws {
    let stage = try Stage(.lmdb)
    let asked = try stage.open()
    try asked.ask("write 1 2 30", for: "written 30")
    let watchers = try (0..<2).map { _ in try Watcher(stage.open(), Self.shapes, isForeign: true) }
    var slowest: Int64 = 0
    for round in 0..<6 {
      let before = watchers.map { $0.publications(of: .all).count }
      let ended = try ForeignWriter.python(
        stage,
        """
        import lmdb, os, sys
        store = lmdb.open(sys.argv[1], subdir=False, max_dbs=64)
        rows = store.open_db(b'twin')
        with store.begin(write=True) as change:
          keys = [bytes(key) for key, _ in change.cursor(rows)]
          row = bytes(change.get(keys[\(round)], db=rows))
          id = os.urandom(16)
          change.put(id, row[:3] + id + row[19:], db=rows)
          change.delete(keys[\(round + 8)], db=rows)
        """)
      for (watcher, count) in zip(watchers, before) {
        slowest = max(slowest, try watcher.settle(asking: asked) - ended)
        #expect(watcher.publications(of: .all).count == count + 1, "publications of foreign commit \(round)")
      }
      // Every other time one of ours comes behind it, and mends the indexes.
      if round % 2 == 1 {
        try asked.ask("write 2 2 1", for: "ack")
        for watcher in watchers { try watcher.settle(asking: asked) }
      }
    }
    print("lmdb: slowest \(slowest / 1_000) µs after the foreign program's end")
    #expect(slowest < 1_000_000_000)
    for process in watchers.map(\.process) + [asked] { try process.finish() }
  }
  #endif
}

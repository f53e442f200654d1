#if SQLite
import CSQLite
import Foundation
import SaverCore
import SaverKit
import SaverSQLite
import Testing

extension FaultTests {
  /// Rows that another program has written with SQL, as wrong as SQLite lets it.
  @Suite struct SQLiteRowFuzzTests {
    /// Values as SQL; the table's own rules refuse many of them, which is what they are for.
    private func value(_ column: String, _ random: inout some RandomNumberGenerator) -> String {
      let wrong = [
        "NULL", "1e300", "-1e300", "9e999", "-9e999", "'text'", "x'ff'", "CAST(x'ff41' AS TEXT)", "''", "0", "-1",
        "9223372036854775807", "CAST(x'610062' AS TEXT)", "zeroblob(16)", "randomblob(15)", "char(27)||'[2J'",
        "char(8238)||'a'", "printf('%.*c', 5000, 'x')", "CAST(x'eda080' AS TEXT)", "CAST(x'f5' AS TEXT)",
      ]
      if random.chance(oneIn: 3) { return random.pick(wrong) }
      return switch column {
      case "id": random.pick(["randomblob(16)", "zeroblob(16)", "x'01'", "'0123456789abcdef'"])
      case "tags":
        random.pick([
          "'[]'", "'[\"a\"]'", "'[1]'", "'['", "'{}'", "'[\"\\ud800\"]'", "'[\"\\u0000\"]'", "'null'", "'[[\"a\"]]'",
          "'[\"a\",]'",
          "CAST(x'5b22ff225d' AS TEXT)",
        ])
      case "created_at", "updated_at": random.pick(["0", "-62167219200.5", "253402300800", "1e18", "1.5", "-1e18"])
      default: random.pick(["'a'", "'https://example.org/'", "'é'", "NULL", "''"])
      }
    }

    @Test(arguments: [true, false]) func rows(strict: Bool) throws {
      let folder = try FaultFolder()
      let seed = Trials.seed()
      var written = 0
      try Trials.run("foreign rows, SQLite, \(strict ? "strict" : "not strict")", cases: 12, atLeast: 100) {
        number, random in
        folder.empty()
        let comment = "seed \(seed), case \(number)"
        _ = try open(folder)
        var connection: OpaquePointer?
        try #require(sqlite3_open(folder.file("sqlite"), &connection) == SQLITE_OK)
        if !strict {
          // A program that makes the table anew, and forgets the rules and the triggers.
          let columns = "id, text, title, tags, created_at, updated_at, duplicate_key, search_text"
          sqlite3_exec(connection, "DROP TABLE item; CREATE TABLE item (\(columns))", nil, nil, nil)
        }
        for _ in 0..<60 {
          let names = ["id", "text", "title", "tags", "created_at", "updated_at"].filter { _ in !random.chance(oneIn: 5)
          }
          let values = names.map { value($0, &random) }
          let verb = random.pick(["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"])
          let sql = "\(verb) INTO item (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
          if sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK { written += 1 }
        }
        // What we keep there ourselves.
        if random.chance(oneIn: 3) {
          let table = random.pick(["saver_history", "saver_transaction", "saver_store"])
          sqlite3_exec(connection, "UPDATE \(table) SET rowid = rowid + \(random.pick([1, 1_000_000]))", nil, nil, nil)
          sqlite3_exec(connection, "DELETE FROM \(table) WHERE rowid % 3 = 0", nil, nil, nil)
        }
        sqlite3_close(connection)
        do {
          ForeignRowExercise.run(try open(folder), comment)
        } catch let error as StorageError {
          #expect(error.code != .internalError && error.path == folder.file("sqlite"), "\(comment): \(error)")
        }
        if number % 4 == 0 { try ForeignRowExercise.runCommands("sqlite", folder.base, comment) }
      }
      #expect(written > 50)
    }

    private func open(_ folder: FaultFolder) throws -> Store {
      try SQLiteBackend.open(
        StoreLocation(base: folder.base), types: [SavedItem.schema.type],
        configuration: SQLiteBackend.defaultConfiguration)
    }
  }
}
#endif
